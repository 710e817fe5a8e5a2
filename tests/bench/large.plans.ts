import { administer } from '../support/database'
import { planOf } from '../support/statements'
import type { Session } from './accounts'
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

interface Asked {
  readonly name: string
  readonly path: string
  readonly who: (side: Side) => Session | undefined
}

const READS: readonly Asked[] = ENDPOINTS.filter(({ body }) => body === undefined).flatMap((endpoint) => {
  const [name, path] = [`\`${nameOf(endpoint)}\``, endpoint.path]
  return [
    { name, path, who: ({ users }) => users[endpoint.as] },
    { name: `${name} of one with 50 000 todos`, path, who: ({ power }) => power },
    { name: `${name} of one in a household`, path, who: ({ member }) => member },
  ]
})

async function touchedBy(side: Side, { path, who }: Asked): Promise<Touched> {
  const [recorded] = await record(side.url, [{ path, cookie: who(side)?.cookie ?? '' }])
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
  for (const asked of READS) {
    const [few, many] = [await touchedBy(small, asked), await touchedBy(large, asked)]
    rows.push([asked.name, fixed(few.pages), fixed(many.pages), [...many.scanned].toSorted().join(', ')])
    console.log(rows.at(-1)?.join('  '))
  }
  return table(['Pages touched', 'Small', 'Large', 'Tables read whole'], rows)
}
