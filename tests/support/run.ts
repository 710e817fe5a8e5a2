import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropTestServer, testServer } from './database'
import { readReport, type Report } from './report'

/**
 * Runs tests on one test server and ends with the runner's own count: `N passed, M failed, K skipped`. Without arguments it
 * runs what is quick, with `--web` what drives a browser, with `--proofs` what takes long (`*.proof.test.ts`), with `--all`
 * these in turn, else the files and folders that are named.
 */
const WORKERS = String(Math.max(2, navigator.hardwareConcurrency))
const TIMEOUT_MS = '60000'
const SLOWEST = 10

const BROWSERS = ['tests/web', 'tests/browser']
const without = (pattern: string) => `--path-ignore-patterns=${pattern}`
const NO_PROOFS = without('**/*.proof.test.ts')
const QUICK = [NO_PROOFS, ...BROWSERS.map((folder) => without(`${folder}/**`))]
const WEB = [NO_PROOFS, ...BROWSERS]
const PROOFS = ['.proof.test.ts']
const GROUPS: Readonly<Record<string, ReadonlyArray<readonly string[]>>> = {
  '--web': [WEB],
  '--proofs': [PROOFS],
  '--all': [QUICK, WEB, PROOFS],
}

const [first = '', ...others] = process.argv.slice(2)
const selections = first === '' ? [QUICK] : (GROUPS[first] ?? [[first, ...others]])

/** What failed, each with where it is and how it is run alone, and the slowest files, at the end, where one looks first. */
function tell({ failures, files }: Pick<Report, 'failures' | 'files'>): void {
  for (const { file, name, text } of failures)
    console.log(`\n✗ ${file}: ${name}\n${text}\n  bun test ${file} -t ${JSON.stringify(name)}`)
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  console.log(`\nThe slowest files, in seconds:`)
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} ${file}`)
}

async function run(selection: readonly string[], path: string): Promise<Report> {
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
  // The report knows of no error outside of a test, such as in a file that cannot be loaded.
  return report.failed === 0 && exitCode !== 0 ? { ...report, failed: 1 } : report
}

const folder = await mkdtemp(join(tmpdir(), 'organiser-tests-'))
try {
  const reports: Report[] = []
  for (const [i, selection] of selections.entries())
    reports.push(await run(selection, join(folder, `report-${i}.xml`)))
  tell({
    failures: reports.flatMap(({ failures }) => failures),
    files: reports.flatMap(({ files }) => files),
  })
  const sum = (figure: 'passed' | 'failed' | 'skipped') =>
    reports.reduce((total, report) => total + report[figure], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  process.exitCode = sum('failed') > 0 || reports.some(({ passed }) => passed === 0) ? 1 : 0
} finally {
  await dropTestServer()
  await rm(folder, { recursive: true, force: true })
}
