import { chromiumPath } from '../support/browser'

/** Fetched when it is needed: 176 MB are too much for a dependency. */
const LIGHTHOUSE = 'lighthouse@13.5'
const PAGES = { 'sign-in': '/sign-in', today: '/today', week: '/calendar/week', todos: '/todos' } as const
const AUDITED = { mobile: [], desktop: ['--preset=desktop'] } as const

interface Asked {
  readonly base: string
  readonly cookie: string
  readonly rounds: number
  readonly row: (what: string, value: number, bar: string) => void
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
}

/** One run; undefined where Lighthouse could not be fetched or did not finish. */
async function audit(
  url: string,
  cookie: string | undefined,
  flags: readonly string[],
): Promise<Report | undefined> {
  const headers =
    cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: `session=${cookie}` })}`]
  const child = Bun.spawn(
    [
      'npx', '-y', LIGHTHOUSE, url, '--quiet', '--output=json', '--output-path=stdout',
      '--only-categories=performance,accessibility,best-practices',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu', ...flags, ...headers,
    ],
    { env: { ...process.env, CHROME_PATH: chromiumPath ?? '' }, stdio: ['ignore', 'pipe', 'ignore'] },
  ) // prettier-ignore
  const said = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) return undefined
  const report: unknown = JSON.parse(said)
  return report as Report
}

/** What Lighthouse says of each page, as a phone and as a desktop. */
export async function measureLighthouse({ base, cookie, rounds, row }: Asked): Promise<void> {
  if (!Bun.which('npx')) return console.log(`${LIGHTHOUSE} is not measured: npx is not installed.`)
  for (const [name, path] of Object.entries(PAGES))
    for (const [device, flags] of Object.entries(AUDITED)) {
      const reports: Report[] = []
      for (let round = 0; round < rounds; round++) {
        const report = await audit(`${base}${path}`, name === 'sign-in' ? undefined : cookie, flags)
        if (report) reports.push(report)
      }
      if (reports.length < rounds)
        console.log(`${LIGHTHOUSE} finished ${reports.length} of ${rounds} runs on ${name}, ${device}.`)
      tell(
        reports,
        `Lighthouse, ${name}, ${device}`,
        device === 'mobile' ? ['95', '1500'] : ['100', '500'],
        row,
      )
    }
}

/** Shows the medians of some reports on one page. */
function tell(
  reports: readonly Report[],
  page: string,
  [performance, paint]: readonly [performance: string, paint: string],
  row: Asked['row'],
): void {
  const median = (of: (report: Report) => number) =>
    reports.map(of).toSorted((a, b) => a - b)[Math.floor(reports.length / 2)] ?? Number.NaN
  const score = (category: string) => median(({ categories }) => (categories[category]?.score ?? 0) * 100)
  row(`${page}: performance`, score('performance'), performance)
  row(`${page}: accessibility`, score('accessibility'), '100')
  row(`${page}: best practices`, score('best-practices'), '100')
  row(
    `${page}: first paint, ms`,
    median(({ audits }) => audits['first-contentful-paint']?.numericValue ?? Number.NaN),
    paint,
  )
}
