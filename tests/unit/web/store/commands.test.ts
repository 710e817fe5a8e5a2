import { describe, expect, test } from 'bun:test'
import type { Notice } from '../../../../src/web/store/notes'
import { startStore } from './model-service'

const titles = (todos: readonly { title: string }[]) => todos.map(({ title }) => title)

describe('a command', () => {
  test('shows at once and keeps its place and key when the service gives the record its id', async () => {
    const { create, shown, settle, store, service } = startStore()
    const { todo: id, done } = create('Milk')
    expect(titles(shown())).toEqual(['Milk'])
    await settle()
    expect((await done).is).toBe('confirmed')
    expect(shown()).toEqual([...service.todos.values()])
    expect(store.ids.local({ kind: 'todo', id: 1 })).toBe(id)
    expect(store.find({ kind: 'todo', id })).toBe(store.find({ kind: 'todo', id: 1 }))
  })

  test('on a record that is still being made waits for its id', async () => {
    const { create, change, settle, service } = startStore()
    const { todo: id } = create('Milk')
    change(id, { title: 'Oat milk' })
    await settle()
    expect([...service.todos.values()]).toMatchObject([{ id: 1, title: 'Oat milk', version: 2 }])
    change(id, { description: '1 l' })
    await settle()
    expect(service.todos.get(1)).toMatchObject({ description: '1 l' })
  })

  test('on a record that is not known here says from which version it starts, so that nobody is overwritten', async () => {
    const { service } = startStore()
    await service.send('POST', 'todos', { body: { title: 'Milk' }, idempotencyKey: 'other' })
    const opened = service.todos.get(1)
    service.change(1, { description: '2 l' })
    const { change, settle } = startStore(service)
    change(1, { title: 'Oat milk', description: null }, opened)
    await settle()
    expect(service.todos.get(1)).toMatchObject({ title: 'Oat milk', description: '2 l' })
  })

  test('that is refused is taken back with those that depend on it, and said', async () => {
    const { create, change, settle, shown, store } = startStore()
    const notices: Notice[] = []
    store.notes.onNotice((notice) => notices.push(notice))
    create('Milk')
    await settle()
    const { done } = change(1, { title: '' })
    expect(titles(shown())).toEqual([''])
    await settle()
    expect(titles(shown())).toEqual(['Milk'])
    expect(await done).toMatchObject({ is: 'refused', refusal: { status: 422 } })
    expect(notices).toMatchObject([{ is: 'refused', said: 'Changed', refusal: { status: 422 } }])
    expect(store.outbox.list()).toEqual([])
  })

  test('is repeated with the same key until its answer comes', async () => {
    const { create, settle, service, shown } = startStore()
    service.fates = ['lost after', 'busy', 'lost before', 'lost after']
    create('Milk')
    await settle()
    expect(service.executed).toHaveLength(1)
    expect(shown()).toEqual([...service.todos.values()])
  })

  test('that makes a record never shows it twice, though the feed is faster than the answer', async () => {
    const { create, settle, deliver, service, shown } = startStore()
    service.fates = ['lost after']
    create('Milk')
    for (let turn = 0; turn < 12; turn++) await Promise.resolve()
    expect(service.todos.size).toBe(1)
    deliver()
    expect(titles(shown())).toEqual(['Milk'])
    await settle()
    expect(shown()).toEqual([...service.todos.values()])
  })
})

describe('an echo', () => {
  test('of our own change leaves the very same record', async () => {
    const { create, settle, deliver, store } = startStore()
    create('Milk')
    await settle()
    const before = store.find({ kind: 'todo', id: 1 })
    const list = store.records.list('todo')
    deliver()
    expect(store.find({ kind: 'todo', id: 1 })).toBe(before)
    expect(store.records.list('todo')).toBe(list)
  })

  test('from before our deletion does not bring the record back', async () => {
    const { create, remove, settle, deliver, shown } = startStore()
    create('Milk')
    await settle()
    remove(1)
    await settle()
    deliver(1)
    expect(shown()).toEqual([])
  })
})

describe('undo', () => {
  test('of what was not sent takes it out without asking the service', async () => {
    const { create, change, store, shown, service, settle } = startStore()
    create('Milk')
    await settle()
    store.sender.pause()
    change(1, { title: 'Oat milk' })
    expect(store.undo()).toBe(true)
    expect(titles(shown())).toEqual(['Milk'])
    store.sender.resume()
    await settle()
    expect(service.executed).toHaveLength(1)
  })

  test('of a record that was not sent takes along what was done to it', async () => {
    const { create, change, store, shown, service, settle } = startStore()
    store.sender.pause()
    const { todo, id } = create('Milk')
    change(todo, { title: 'Oat milk' })
    store.undo(id)
    expect([shown(), store.outbox.list()]).toEqual([[], []])
    store.sender.resume()
    await settle()
    expect(service.executed).toEqual([])
  })

  test('of what is under way waits for its answer', async () => {
    const { create, remove, store, shown, service, settle, deliver } = startStore()
    create('Milk')
    await settle()
    remove(1)
    store.undo()
    expect(titles(shown())).toEqual(['Milk'])
    await settle()
    deliver()
    expect([...service.todos.values()]).toMatchObject([{ id: 1, title: 'Milk' }])
    expect(shown()).toEqual([...service.todos.values()])
  })

  test('that comes too late says why and shows what is there', async () => {
    const { create, change, store, shown, service, settle, deliver } = startStore()
    const notices: Notice[] = []
    store.notes.onNotice((notice) => notices.push(notice))
    create('Milk')
    await settle()
    change(1, { title: 'Oat milk' })
    await settle()
    service.change(1, { title: 'Soy milk' })
    deliver()
    store.undo()
    await settle()
    expect(titles(shown())).toEqual(['Soy milk'])
    expect(notices).toMatchObject([{ is: 'not-undone', refusal: { detail: 'Changed since' } }])
  })

  test('reaches the last 20 changes', async () => {
    const { create, store, settle } = startStore()
    for (let count = 0; count < 25; count++) create(`Todo ${count}`)
    await settle()
    let undone = 0
    while (store.undo()) undone++
    expect(undone).toBe(20)
  })
})

describe('a change that met another one', () => {
  test('is merged silently where the fields differ', async () => {
    const { create, change, settle, service, store, shown } = startStore()
    const notices: Notice[] = []
    store.notes.onNotice((notice) => notices.push(notice))
    create('Milk')
    await settle()
    service.change(1, { description: '2 l' })
    change(1, { title: 'Oat milk' })
    await settle()
    expect(service.todos.get(1)).toMatchObject({ title: 'Oat milk', description: '2 l' })
    expect(shown()).toEqual([...service.todos.values()])
    expect(notices).toEqual([{ is: 'merged', said: 'Changed' }])
  })

  for (const [keeps, theirs, title] of [
    ['mine', [], 'Oat milk'],
    ['theirs', ['title'], 'Soy milk'],
  ] as const)
    test(`asks where both changed a field, and keeps ${keeps} if the person says so`, async () => {
      const { create, change, settle, service, store, shown } = startStore()
      create('Milk')
      await settle()
      service.change(1, { title: 'Soy milk' })
      const { id } = change(1, { title: 'Oat milk', description: '1 l' })
      await settle()
      expect(store.notes.conflicts()).toMatchObject([
        { clashes: [{ fields: ['title'], mine: { title: 'Oat milk' }, theirs: { title: 'Soy milk' } }] },
      ])
      expect(service.todos.get(1)).toMatchObject({ title: 'Soy milk', description: null })
      store.resolve(id, theirs)
      await settle()
      expect(store.notes.conflicts()).toEqual([])
      expect(service.todos.get(1)).toMatchObject({ title, description: '1 l' })
      expect(shown()).toEqual([...service.todos.values()])
    })

  test('asks before it deletes what somebody changed', async () => {
    const { create, remove, settle, service, store, shown } = startStore()
    create('Milk')
    await settle()
    service.change(1, { title: 'Soy milk' })
    const { id } = remove(1)
    await settle()
    expect(store.notes.conflicts()).toMatchObject([{ clashes: [{ fields: [] }] }])
    store.resolve(id, [], false)
    await settle()
    expect(titles(shown())).toEqual(['Soy milk'])
  })

  test('lets later changes of the record go out when it was deleted while the person was asked', async () => {
    const { create, change, settle, deliver, service, store, shown } = startStore()
    create('Milk')
    await settle()
    service.change(1, { title: 'Soy milk' })
    const { id } = change(1, { title: 'Oat milk' })
    change(1, { description: '1 l' })
    await settle()
    expect(store.notes.conflicts()).toHaveLength(1)
    service.change(1, undefined)
    deliver()
    store.resolve(id, [])
    await settle()
    expect([store.outbox.list(), shown()]).toEqual([[], []])
  })

  test('does not ask about what an earlier change of the same person did', async () => {
    const { create, change, settle, service, store } = startStore()
    create('Milk')
    await settle()
    change(1, { title: 'Oat milk' })
    change(1, { title: 'Soy milk' })
    await settle()
    expect([store.notes.conflicts(), service.todos.get(1)?.title]).toEqual([[], 'Soy milk'])
  })
})
