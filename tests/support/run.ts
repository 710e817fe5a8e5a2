import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopTestServer, testServer } from './database'
import { readReport, type Report } from './report'

/**
 * Runs tests on one test server and ends with the runner's own count: `N passed, M failed, K skipped`. Without arguments it
 * runs all but the long proofs (`*.proof.test.ts`), with `--proofs` these alone, else the files and folders that are named.
 */
const WORKERS = String(Math.max(2, navigator.hardwareConcurrency))
const TIMEOUT_MS = '60000'
const SLOWEST = 10

const chosen = process.argv.slice(2)
const selection =
  chosen[0] === '--proofs'
    ? ['.proof.test.ts', ...chosen.slice(1)]
    : chosen.length > 0
      ? chosen
      : ['--path-ignore-patterns=**/*.proof.test.ts']

/** What failed, each with where it is and how it is run alone, at the end, where one looks first. */
function tell({ failures, files }: Report): void {
  for (const { file, name, text } of failures)
    console.log(`\n✗ ${file}: ${name}\n${text}\n  bun test ${file} -t ${JSON.stringify(name)}`)
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  console.log(`\nThe slowest files, in seconds:`)
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} ${file}`)
}

const folder = await mkdtemp(join(tmpdir(), 'organiser-tests-'))
const path = join(folder, 'report.xml')
try {
  const suite = Bun.spawn({
    cmd: [
      process.execPath,
      'test',
      `--parallel=${WORKERS}`,
      `--timeout=${TIMEOUT_MS}`,
      '--reporter=junit',
      `--reporter-outfile=${path}`,
      ...selection,
    ],
    env: { ...process.env, TEST_DATABASE_URL: await testServer() },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exitCode = await suite.exited
  const report = await readReport(path)
  tell(report)
  const { passed, skipped } = report
  // The report knows of no error outside of a test, such as in a file that cannot be loaded.
  const failed = report.failed === 0 && exitCode !== 0 ? 1 : report.failed
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
} finally {
  await stopTestServer()
  await rm(folder, { recursive: true, force: true })
}
