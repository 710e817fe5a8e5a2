import { stopTestServer } from '../support/database'
import { fuzzBatch } from './batch'
import { fuzzDav } from './dav'
import { fuzzFiles } from './file-fuzz'
import type { Extent, Finding, Outcome } from './findings'
import { fuzz } from './fuzz'
import { fuzzMcp } from './mcp'
import { fuzzStream } from './stream'

/**
 * `bun run fuzz`: every kind, at least 500 requests for every operation and 50 000 in all. `bun run fuzz dav stream` runs some,
 * `--minutes 60` each of them for a time. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` is the number for each operation; the other
 * kinds get a multiple of it.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 500)

interface Kind {
  readonly run: (extent: Extent) => Promise<Outcome>
  /** Requests for each one of an operation. */
  readonly times: number
}

const KINDS: Readonly<Record<string, Kind>> = {
  json: { run: fuzzJson, times: 1 },
  dav: { run: fuzzDav, times: 40 },
  batch: { run: fuzzBatch, times: 8 },
  stream: { run: fuzzStream, times: 20 },
  mcp: { run: fuzzMcp, times: 40 },
  files: { run: fuzzFiles, times: 8 },
}

/** The operations of the document, with a table of what each of them answered. */
async function fuzzJson(extent: Extent): Promise<Outcome> {
  const { tally, ...outcome } = await fuzz(extent)
  const rows = tally.rows()
  for (const { title, all, good, statuses } of rows) {
    console.log(
      `${title.padEnd(70)} ${String(all).padStart(5)}  ${String(Math.round((100 * good) / all)).padStart(3)} % 2xx  ${statuses}`,
    )
  }
  const total = rows.reduce((sum, { all }) => sum + all, 0)
  const good = rows.reduce((sum, row) => sum + row.good, 0)
  const never = rows.filter((row) => row.good === 0).map(({ title }) => title)
  console.log(
    `${rows.length} operations, ${Math.min(...rows.map(({ all }) => all))} requests or more for each`,
  )
  console.log(`${Math.round((100 * good) / total)} % answered 2xx; never: ${never.join(', ') || 'none'}`)
  return outcome
}

/** The kinds that the command line names, and for how long each of them runs. */
function asked(given: readonly string[]): { names: readonly string[]; minutes: number | undefined } {
  const at = given.indexOf('--minutes')
  const minutes = at === -1 ? undefined : Number(given[at + 1])
  const names = at === -1 ? given : given.toSpliced(at, 2)
  const unknown = names.filter((name) => !(name in KINDS))
  if (unknown.length > 0 || (minutes !== undefined && !(minutes > 0)))
    throw new Error(`usage: bun run fuzz [${Object.keys(KINDS).join('|')}]… [--minutes N]`)
  return { names: names.length > 0 ? names : Object.keys(KINDS), minutes }
}

async function runKind(name: string, minutes: number | undefined): Promise<readonly Finding[]> {
  const kind = KINDS[name]
  if (!kind) throw new Error(`no kind ${name}`)
  const started = performance.now()
  const passed = () => (performance.now() - started) / 60_000
  const many = minutes === undefined ? requests * kind.times : Infinity
  const isOver = () => minutes !== undefined && passed() >= minutes
  const outcome = await kind.run({ seed, requests: many, isOver, tell: console.log })
  for (const [what, statuses] of outcome.statuses) {
    const shown = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
    console.log(`${what.padEnd(40)} ${shown.join(' ')}`)
  }
  console.log(`${name}: ${outcome.requests} requests in ${Math.round(passed() * 60)} s\n`)
  for (const { what, example, count } of outcome.findings) console.log(`${count}× ${what}\n    ${example}\n`)
  return outcome.findings
}

const { names, minutes } = asked(process.argv.slice(2))
console.log(`FUZZ_SEED=${seed}${minutes === undefined ? ` FUZZ_REQUESTS=${requests}` : ''}`)
try {
  let kinds = 0
  for (const name of names) kinds += (await runKind(name, minutes)).length
  console.log(`${kinds} kinds of findings (FUZZ_SEED=${seed})`)
  process.exitCode = kinds > 0 ? 1 : 0
} finally {
  await stopTestServer()
}
