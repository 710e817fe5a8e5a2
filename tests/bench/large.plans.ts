import { administer } from '../support/database'
import { planOf } from '../support/statements'
import { ENDPOINTS, fixed, nameOf, table } from './endpoints'
import type { Side } from './large.sides'
import { record } from './recording'

/**
 * How many pages of 8 KiB the statements of a request touch, on the large database and on the small one. Unlike a rate it is the same on
 * a machine that is busy with something else, and shows a plan that grows with what others have.
 */

interface Plan {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly Plans?: readonly Plan[]
}

interface Touched {
  readonly pages: number
  /** The tables that were read from the beginning to the end. */
  readonly scanned: ReadonlySet<string>
}

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] !== undefined ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
]

async function touchedBy(side: Side, endpoint: (typeof ENDPOINTS)[number]): Promise<Touched> {
  const cookie = side.users[endpoint.as]?.cookie ?? ''
  const [recorded] = await record(side.url, [{ path: endpoint.path, cookie }])
  const admin = administer(side.url)
  let pages = 0
  const scanned = new Set<string>()
  for (const statement of recorded?.statements ?? []) {
    if (!/^\s*(?:select|with)\b/i.test(statement.text)) continue
    const plan: Plan = await planOf(admin, statement)
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    for (const name of scansOf(plan)) scanned.add(name)
  }
  await admin.end({ timeout: 5 })
  return { pages, scanned }
}

export async function measurePlans(small: Side, large: Side): Promise<string> {
  const rows: string[][] = []
  for (const endpoint of ENDPOINTS.filter(({ body }) => body === undefined)) {
    const [few, many] = [await touchedBy(small, endpoint), await touchedBy(large, endpoint)]
    rows.push([
      `\`${nameOf(endpoint)}\``,
      fixed(few.pages),
      fixed(many.pages),
      fixed(few.pages / many.pages, 2),
      [...many.scanned].toSorted().join(', '),
    ])
    console.log(rows.at(-1)?.join('  '))
  }
  return table(['Pages touched', 'Small', 'Large', 'Ratio', 'Read whole, large'], rows)
}
