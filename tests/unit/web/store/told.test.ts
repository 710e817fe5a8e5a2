import { expect, test } from 'bun:test'
import { startStore } from './model-service'

test('a row of the feed is told by its kind and its name, also where the record is as it was', async () => {
  const { create, settle, deliver, service, store } = startStore()
  create('Milk')
  await settle()
  deliver()
  const heard: string[] = []
  const stop = ['todo', 'todo:1', 'todo:2', 'person'].map((topic) =>
    store.told.subscribe(topic, () => heard.push(topic)),
  )
  const [milk] = [...service.todos.values()]
  const before = store.find({ kind: 'todo', id: 1 })
  store.receive({
    changes: [
      { type: 'todo', id: 1, op: 'put', parent_id: null, version: milk?.version, item: milk },
    ] as never,
  })
  expect(heard).toEqual(['todo', 'todo:1'])
  expect(store.find({ kind: 'todo', id: 1 })).toBe(before)
  for (const end of stop) end()
  service.change(1, { title: 'Oat milk' })
  deliver()
  expect(heard).toHaveLength(2)
})
