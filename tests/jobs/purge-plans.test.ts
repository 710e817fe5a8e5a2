import { expect, test } from 'bun:test'
import { purgeJournal } from '../../src/access/journal/service'
import { observed, planOf } from '../support/statements'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const OTHERS = 4000
/** Of 8 KiB. One look at each scope, or at each deletion, is more. */
const MOST_PAGES = 200

test('the nightly purge looks at what has ended, and not at whatever else was written or deleted', async () => {
  await sql`
    insert into sync_scopes (kind, id, seq, is_new_to_push) select 'c', 1000000 + n, 10, false from generate_series(1, ${OTHERS}::integer) n`
  await sql`
    insert into sync_changes (scope_kind, scope_id, type, item, seq, gone)
    select 'c', 1000000 + n, 'event', m, m, m > 5 from generate_series(1, ${OTHERS}::integer) n, generate_series(1, 10) m`
  await sql`vacuum analyze sync_changes, sync_scopes`
  using statements = observed(h.db)
  expect(await purgeJournal(h.deps)).toBe(0)
  const deleting = statements.filter(({ text }) => text.includes('delete from'))
  expect(deleting).toHaveLength(4)
  for (const statement of deleting) {
    const plan = await planOf(sql, statement)
    expect([statement.text, plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] < MOST_PAGES]).toEqual([
      statement.text,
      true,
    ])
  }
})
