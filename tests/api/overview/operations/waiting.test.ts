import { expect, test } from 'bun:test'
import { lockWaiters } from '../../../support/locks'
import { until } from '../../../support/service'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const holder = useSql(h)
const watcher = useSql(h)

test('a write waits for an undo of the same user that takes longer than one wait for a lock', async () => {
  const ada = await h.signedIn()
  const since = async () =>
    (
      await watcher`select xact_start::text as since from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
    )[0]?.['since']
  const { sent } = await holder.begin(async (sql) => {
    await sql`select 1 from users where id = ${ada.row.id} for update`
    const answer = ada.request('POST', '/api/todos', { body: { title: 'Bins' } })
    await lockWaiters(watcher)
    const first = await since()
    await until(async () => {
      const now = await since()
      return now !== undefined && now !== first
    })
    return { sent: answer }
  })
  expect((await sent).status).toBe(201)
  expect((await ada.request('GET', '/api/todos')).body.todos).toHaveLength(1)
})
