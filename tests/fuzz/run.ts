import { stopTestServer } from '../support/database'
import { fuzz } from './fuzz'
import { fuzzDav } from './dav'
import { fuzzMcp } from './mcp'

/**
 * `bun run fuzz`: at least 500 requests for every operation and 50 000 in all. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS`
 * is the number for each operation; /dav and /mcp get forty times as many.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 500)

console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`)
try {
  const started = performance.now()
  const { tally, findings } = await fuzz({ seed, requests, tell: console.log })
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
    `\n${rows.length} operations, ${total} requests, ${Math.min(...rows.map(({ all }) => all))} or more for each, in ${Math.round((performance.now() - started) / 1000)} s`,
  )
  console.log(`${Math.round((100 * good) / total)} % answered 2xx; never: ${never.join(', ') || 'none'}`)
  for (const { what, example, count } of findings) console.log(`\n${count}× ${what}\n    ${example}`)
  const dav = await fuzzDav({ seed, requests: requests * 40, tell: console.log })
  for (const [method, statuses] of dav.statuses) {
    const shown = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`)
    console.log(`${method.padEnd(12)} ${shown.join(' ')}`)
  }
  for (const { what, example, count } of dav.findings) console.log(`\n${count}× ${what}\n    ${example}`)
  const mcp = await fuzzMcp({ seed, requests: requests * 40, tell: console.log })
  for (const [tool, { done, refused }] of mcp.outcomes)
    console.log(`${tool.padEnd(18)} ${done} done, ${refused} refused`)
  for (const { what, example, count } of mcp.findings) console.log(`\n${count}× ${what}\n    ${example}`)
  const kinds = findings.length + dav.findings.length + mcp.findings.length
  console.log(`\n${kinds} kinds of findings (FUZZ_SEED=${seed})`)
  process.exitCode = kinds > 0 ? 1 : 0
} finally {
  await stopTestServer()
}
