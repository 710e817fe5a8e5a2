import { describe, expect, test } from 'bun:test'
import { UNDOABLE } from '../../../../src/features/overview/operations/rules'
import { DEEDS } from '../../../support/doing'
import { friends } from '../../../support/inviting'
import { exported, rowsOf, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

test('every operation that can be undone is undone here', () => {
  const done = new Set(DEEDS.map(({ operation }) => operation))
  expect([...done, 'undoOperation', 'restoreTrashItem'].toSorted()).toEqual([...UNDOABLE].toSorted())
})

describe('undoing leaves everything as before, and undoing that as after', () => {
  test.each(DEEDS.map((deed) => [`${deed.operation} ${deed.title}`, deed] as const))(
    '%s',
    async (_, { prepare }) => {
      const { ada: me, bob: guest, connection } = await friends(h)
      const act = await prepare({ me, guest, connection: connection.own })
      const [before, shown] = [await rowsOf(h.db), await exported(me)]
      const { operation } = await act()
      const after = await rowsOf(h.db)
      expect(JSON.stringify([...after]) === JSON.stringify([...before])).toBe(false)
      const undoing = await undone(me, operation)
      expect(await rowsOf(h.db)).toEqual(before)
      expect(await exported(me)).toEqual(shown)
      const redoing = await undone(me, undoing)
      expect(await rowsOf(h.db)).toEqual(after)
      await undone(me, redoing)
      expect(await rowsOf(h.db)).toEqual(before)
    },
  )
})
