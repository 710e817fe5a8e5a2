import { expect, test } from 'bun:test'
import type { ChangeView } from '../../../../src/features/overview/changes/model'
import { Records } from '../../../../src/web/store/records'

const change = (type: string, id: number, item: object | null) =>
  ({ type, id, op: item ? 'put' : 'delete', parent_id: null, version: item ? 1 : null, item }) as ChangeView

test('what the service deletes as one takes along what is in it, wherever that was moved before', () => {
  const records = new Records(() => [])
  for (const id of [1, 2]) records.receive(change('todo_list', id, { id }))
  for (const id of [3, 4]) records.receive(change('todo', id, { id, list_id: 1 }))
  records.answer({ kind: 'todo', id: 4 }, { id: 4, list_id: 2, version: 2 }, [])
  records.receive(change('task', 5, { id: 5, parent_task_id: null }))
  records.receive(change('task', 6, { id: 6, parent_task_id: 5 }))
  records.receive(change('address_book', 7, { id: 7 }))
  records.receive(change('person', 8, { id: 8, book_id: 7 }))
  records.receive(change('person', 9, { id: 9, book_id: 1 }))
  records.receive(change('todo_list', 1, null))
  records.receive(change('task', 5, null))
  records.receive(change('address_book', 7, null))
  const left = (['todo_list', 'todo', 'task', 'person'] as const).map((kind) => records.ids(kind))
  expect(left).toEqual([[2], [4], [], [9]])
})

test('what an answer leaves out of a record stays as it is known, until the feed says otherwise', () => {
  const records = new Records(() => [])
  const name = { kind: 'comment' as const, id: 7 }
  const item = { id: 7, task_id: 3, body: 'Half' }
  records.answer(name, { id: 7, body: 'Made' }, [{ ...name, is: 'put', item, parentId: 3 }])
  expect(records.said(name)).toEqual({
    item: { id: 7, task_id: 3, body: 'Made' },
    version: null,
    parentId: 3,
  })
  records.answer(name, { id: 7, body: 'Changed' }, [])
  expect(records.said(name)?.item).toEqual({ id: 7, task_id: 3, body: 'Changed' })
  records.receive(change('comment', 7, { id: 7, body: 'Told' }))
  expect(records.said(name)?.item).toEqual({ id: 7, body: 'Told' })
})
