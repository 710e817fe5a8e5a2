import { describe, expect, test } from 'bun:test'
import { sceneOf, todos } from '../../../support/doing.scene'
import { brief, did, historyRows, undo, type Undoer } from '../../../support/undoing'
import type { Harness } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

/** Somebody with a todo that was changed, and one that was deleted. */
async function changed(h: Harness) {
  const { me } = await sceneOf(h)
  const [kept, gone] = await todos({ me, guest: me, connection: 0 }, 2)
  const { operation } = await did(me, `PUT /api/todos/${kept}`, { title: 'Other' })
  await did(me, `DELETE /api/todos/${gone}`)
  const [item] = (await me.request('GET', '/api/trash')).body.items
  return { row: me.row, kept, operation, entry: Number(item?.id ?? 0) }
}

async function expectNothingOld(me: Undoer, { kept, operation, entry }: Awaited<ReturnType<typeof changed>>) {
  expect((await me.request('GET', '/api/trash')).body.items).toEqual([])
  expect((await me.request('POST', `/api/trash/${entry}/restore`)).status).toBe(404)
  expect((await me.request('DELETE', `/api/trash/${entry}`)).status).toBe(404)
  const { versions } = (await me.request('GET', `/api/todos/${kept}/history`)).body
  expect(versions).toMatchObject([{ changed_by: null, item: { title: 'Other' } }])
  expect(brief(await undo(me, operation))).toBe('410 Too old to undo')
}

describe('what is older than HISTORY_DAYS is neither shown nor put back, even before the purge', () => {
  const h = useHarness({ per: 'test', env: { HISTORY_DAYS: '2' } })

  test('after these days', async () => {
    const old = await changed(h)
    h.clock.advance({ days: 1 })
    const { token } = await h.session(old.row.id)
    const me: Undoer = {
      request: (method, path, sent) => h.request(method, path, { ...sent, cookie: token }),
    }
    expect((await me.request('GET', `/api/todos/${old.kept}/history`)).body.versions).toHaveLength(2)
    expect((await me.request('GET', '/api/trash')).body.items).toHaveLength(1)
    const rows = await historyRows(h)
    h.clock.advance({ days: 1, seconds: 1 })
    await expectNothingOld(me, old)
    expect(await historyRows(h)).toBe(rows)
    await did(me, 'DELETE /api/trash')
    expect(await historyRows(h)).toBeLessThan(rows)
  })
})

describe('with HISTORY_DAYS=0', () => {
  const h = useHarness({ per: 'test', env: { HISTORY_DAYS: '0' } })

  test('nothing is shown or put back that was kept before', async () => {
    const old = await changed(h)
    expect(await historyRows(h)).toBeGreaterThan(0)
    const { token } = await h.session(old.row.id)
    const me: Undoer = {
      request: (method, path, sent) => h.request(method, path, { ...sent, cookie: token }),
    }
    const id = await h.db.execute<{ id: number }>('select id::integer from history where in_trash')
    await expectNothingOld(me, { ...old, entry: Number(id[0]?.id) })
  })
})
