import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopTestServer, testServer } from './database'

/**
 * Runs the whole suite, or the files named on the command line, on one test server and ends with the runner's own count:
 * `N passed, M failed, K skipped`.
 */
const WORKERS = String(Math.max(2, navigator.hardwareConcurrency))
const TIMEOUT_MS = '60000'

const folder = await mkdtemp(join(tmpdir(), 'organiser-tests-'))
const report = join(folder, 'report.xml')
try {
  const suite = Bun.spawn({
    cmd: [
      process.execPath,
      'test',
      `--parallel=${WORKERS}`,
      `--timeout=${TIMEOUT_MS}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...process.argv.slice(2),
    ],
    env: { ...process.env, TEST_DATABASE_URL: await testServer() },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exitCode = await suite.exited
  const { passed, failed, skipped } = await count(report)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = exitCode !== 0 || failed > 0 || passed === 0 ? 1 : 0
} finally {
  await stopTestServer()
  await rm(folder, { recursive: true, force: true })
}

/** The totals of a JUnit report; a runner that died before writing one counts as a failure. */
async function count(path: string) {
  const xml = await readFile(path, 'utf8').catch(() => '')
  const root = /<testsuites\b[^>]*>/.exec(xml)?.[0]
  if (root === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const total = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(root)?.[1] ?? 0)
  const failed = total('failures') + total('errors')
  const skipped = total('skipped')
  // Bun counts each hook of what is skipped as a test without a name.
  const hooks = xml.match(/<testcase name="\(unnamed\)"[^>]*>\s*<skipped/g)?.length ?? 0
  return { passed: total('tests') - failed - skipped, failed, skipped: skipped - hooks }
}
