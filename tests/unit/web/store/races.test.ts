import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type Fate, startStore } from './model-service'

const fate = fc.constantFrom<Fate>('arrives', 'arrives', 'lost before', 'lost after', 'busy')
const place = fc.nat({ max: 5 })
const step = fc.oneof(
  fc.record({ is: fc.constant('create' as const), text: fc.string({ minLength: 1, maxLength: 3 }) }),
  fc.record({
    is: fc.constant('change' as const),
    place,
    field: fc.constantFrom('title' as const, 'description' as const),
    text: fc.string({ minLength: 1, maxLength: 3 }),
  }),
  fc.record({ is: fc.constant('delete' as const), place }),
  fc.record({ is: fc.constant('undo' as const) }),
  fc.record({ is: fc.constant('wait' as const), turns: fc.nat({ max: 20 }) }),
  fc.record({ is: fc.constant('deliver' as const), count: fc.nat({ max: 4 }) }),
)
const foreign = fc.record({
  is: fc.constant('foreign' as const),
  place,
  field: fc.constantFrom('title' as const, 'description' as const, undefined),
  text: fc.string({ minLength: 1, maxLength: 3 }),
})
const restoring = fc.constant({ is: 'restore' as const })
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type Step = Of<typeof step> | Of<typeof foreign> | Of<typeof restoring>
type Writing = Extract<Step, { place: number }>

/** Does one step; which record it concerns depends on what shows, and for others on what the service has. */
async function take(client: ReturnType<typeof startStore>, each: Step): Promise<void> {
  if (each.is === 'create') client.create(each.text)
  else if (each.is === 'undo') client.store.undo()
  else if (each.is === 'restore') client.service.restore()
  else if (each.is === 'deliver') client.deliver(each.count)
  else if (each.is === 'wait') for (let turn = 0; turn < each.turns; turn++) await Promise.resolve()
  else write(client, each)
}

function write({ change, remove, service, shown }: ReturnType<typeof startStore>, each: Writing): void {
  const there = each.is === 'foreign' ? [...service.todos.values()] : shown()
  const nth = there[each.place % there.length]
  if (!nth) return
  if (each.is === 'delete') remove(nth.id)
  else if (each.is === 'change') change(nth.id, { [each.field]: each.text })
  else service.change(nth.id, each.field && { [each.field]: each.text })
}

/** Does all steps and lets everything come to rest; theirs wins each conflict. */
async function play(steps: readonly Step[], fates: readonly Fate[]) {
  const client = startStore()
  const { store, service, shown } = client
  service.fates = [...fates]
  for (const each of steps) await take(client, each)
  const promised = shown().map(({ title, description }) => ({ title, description }))
  for (let round = 0; round < 3 || (round < 20 && store.outbox.list().length > 0); round++) {
    await client.settle()
    client.deliver()
    for (const { command, clashes } of store.notes.conflicts())
      store.resolve(
        command.id,
        clashes.flatMap(({ fields }) => fields),
        false,
      )
  }
  return { ...client, promised }
}

const sorted = (todos: readonly object[]) => todos.map((todo) => JSON.stringify(todo)).toSorted()

type Client = ReturnType<typeof startStore>

/** Lets time pass until the service has done so many requests; the answer of the last one is on its way. */
async function until({ service }: Client, executed: number): Promise<void> {
  while (service.executed.length < executed) await Promise.resolve()
}

describe('an answer that comes after the feed told more', () => {
  test('does not put its own values over newer ones', async () => {
    const client = startStore()
    const { create, change, settle, deliver, service, shown } = client
    create('Milk')
    await settle()
    change(1, { description: '1 l' })
    await until(client, 2)
    service.change(1, { description: '2 l' })
    deliver()
    await settle()
    expect(shown()).toEqual([...service.todos.values()])
  })
})

describe('a deletion that the feed tells', () => {
  test('does not hide again what an undo brought back since', async () => {
    const { create, remove, settle, deliver, service, store, shown } = startStore()
    create('Milk')
    await settle()
    remove(1)
    await settle()
    store.undo()
    await settle()
    deliver(2)
    expect(shown()).toEqual([...service.todos.values()])
  })

  test('does not hide what was brought back and is being changed', async () => {
    const { create, remove, change, settle, deliver, service, store, shown } = startStore()
    create('Milk')
    await settle()
    remove(1)
    await settle()
    store.undo()
    await settle()
    change(1, { title: 'Oat milk' })
    deliver(2)
    expect(shown()).toMatchObject([{ title: 'Oat milk' }])
    await settle()
    expect(shown()).toEqual([...service.todos.values()])
  })

  test('of what this device changed last takes it away', async () => {
    const { create, change, settle, deliver, service, shown } = startStore()
    create('Milk')
    await settle()
    change(1, { title: 'Oat milk' })
    await settle()
    service.change(1, undefined)
    service.rows.splice(0, service.rows.length - 1)
    deliver()
    await settle()
    expect(shown()).toEqual([])
  })

  test('of what this device just made counts though the answer comes later', async () => {
    const client = startStore()
    const { create, settle, deliver, service, shown } = client
    create('Milk')
    await until(client, 1)
    service.change(1, undefined)
    deliver()
    await settle()
    expect(shown()).toEqual([])
  })

  for (const [way, goAway] of [
    ['deleting', ({ remove }: Client) => void remove(1)],
    ['undoing', ({ store }: Client) => void store.undo()],
  ] as const)
    test(`by ${way} it here does not take away what somebody gave again before the answer came`, async () => {
      const client = startStore()
      const { create, settle, deliver, service, shown } = client
      create('Milk')
      await settle()
      goAway(client)
      await until(client, 2)
      service.restore()
      deliver()
      await settle()
      expect(shown()).toMatchObject([{ title: 'Milk', version: 3 }])
    })

  test('is asked about again when the answer about the one before was on its way', async () => {
    const { create, remove, settle, deliver, service, store, shown } = startStore()
    create('Milk')
    await settle()
    remove(1)
    await settle()
    store.undo()
    await settle()
    deliver(2)
    await Promise.resolve()
    await Promise.resolve()
    service.change(1, undefined)
    deliver()
    await settle()
    expect(shown()).toEqual([])
  })
})

describe('whatever becomes of the requests', () => {
  test('what showed at once is what the service has in the end, and nothing happened twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.array(fate, { maxLength: 25 }),
        async (steps, fates) => {
          const { store, service, shown, promised } = await play(steps, fates)
          const kept = [...service.todos.values()]
          expect(store.outbox.list()).toEqual([])
          expect(sorted(shown())).toEqual(sorted(kept))
          expect(sorted(kept.map(({ title, description }) => ({ title, description })))).toEqual(
            sorted(promised),
          )
          expect(new Set(service.executed).size).toBe(service.executed.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('the client ends as the service does, also when others write meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(step, foreign, restoring), { maxLength: 25 }),
        fc.array(fate, { maxLength: 25 }),
        async (steps, fates) => {
          const { store, service, shown } = await play(steps, fates)
          expect(store.outbox.list()).toEqual([])
          expect(sorted(shown())).toEqual(sorted([...service.todos.values()]))
          expect(new Set(service.executed).size).toBe(service.executed.length)
        },
      ),
      { numRuns: 500 },
    )
  })
})
