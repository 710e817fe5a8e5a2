import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type AssistantClient, assistantOf, ERAS } from '../support/assistants'
import { createEvent } from '../support/events'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

type Actor = Awaited<ReturnType<typeof h.signedIn>>
let actor: Actor
let silent: AssistantClient
beforeAll(async () => {
  actor = await h.signedIn()
  silent = await assistantOf(h, actor)
})

async function todo(title = 'Milk') {
  const { body } = await actor.request('POST', '/api/todos', { body: { title } })
  return { type: 'todo', id: body.id, version: body.version }
}

const isThere = async ({ id }: { id: number }) =>
  (await actor.request('GET', `/api/todos/${id}`)).status === 200

describe('a client that can ask its user', () => {
  test('deletes once they say yes', async () => {
    const item = await todo()
    const assistant = await assistantOf(h, actor, { says: 'yes' })
    const { isError, body } = await assistant.call('delete', { items: [item] })
    expect({ isError, results: body.results, asked: assistant.asked }).toEqual({
      isError: false,
      results: [{ index: 0, status: 'deleted', type: 'todo', id: item.id }],
      asked: ['Delete todo “Milk”?'],
    })
    expect(await isThere(item)).toBe(false)
  })

  test('changes nothing when they say no', async () => {
    const item = await todo()
    const assistant = await assistantOf(h, actor, { says: 'no' })
    const { isError, body } = await assistant.call('delete', { items: [item] })
    expect({ isError, body }).toEqual({
      isError: true,
      body: { detail: 'The user did not agree', code: 'declined' },
    })
    expect(await isThere(item)).toBe(true)
  })
})

describe.each([...ERAS])('a client of %s that cannot ask', (era) => {
  test('gets a code, which repeats exactly that call', async () => {
    const item = await todo()
    const assistant = await assistantOf(h, actor, { era })
    const first = await assistant.call('delete', { items: [item] })
    expect(first).toMatchObject({
      isError: true,
      body: {
        detail: 'Ask the user, and if they agree repeat the call with confirm',
        code: 'confirmation_required',
        question: 'Delete todo “Milk”?',
      },
    })
    expect(await isThere(item)).toBe(true)
    const second = await assistant.call('delete', { items: [item], confirm: first.body.confirm })
    expect(second).toMatchObject({ isError: false, body: { results: [{ status: 'deleted' }] } })
    expect(await isThere(item)).toBe(false)
  })
})

describe('a code', () => {
  const REFUSED = {
    isError: true,
    body: { detail: 'This confirmation is not for this call, or has expired', code: 'confirmation_invalid' },
  }
  const codeFor = async (items: readonly unknown[], tool = 'delete') =>
    (await silent.call(tool, { items })).body.confirm

  test('for other arguments is refused', async () => {
    const [one, other] = [await todo(), await todo()]
    const confirm = await codeFor([one])
    expect(await silent.call('delete', { items: [other], confirm })).toMatchObject(REFUSED)
    expect(await silent.call('delete', { items: [one, other], confirm })).toMatchObject(REFUSED)
    expect([await isThere(one), await isThere(other)]).toEqual([true, true])
  })

  test('for another tool is refused', async () => {
    const items = []
    for (let count = 0; count < 6; count++) items.push(await todo())
    const confirm = await codeFor(items, 'change')
    expect(confirm).toBeString()
    expect(await silent.call('delete', { items, confirm })).toMatchObject(REFUSED)
  })

  test('of another user is refused', async () => {
    const item = await todo()
    const other = await h.signedIn()
    const theirs = (await other.request('POST', '/api/todos', { body: { title: 'Milk' } })).body
    // The same arguments, for what only the other one owns.
    const given = [{ type: 'todo', id: theirs.id, version: theirs.version }]
    const confirm = (await (await assistantOf(h, other)).call('delete', { items: given })).body.confirm
    const mixed = [item, ...given]
    expect(await silent.call('delete', { items: mixed, confirm })).toMatchObject(REFUSED)
    expect(await isThere(item)).toBe(true)
  })

  test('that is forged, or the state of a question, is refused', async () => {
    const item = await todo()
    const confirm: string = await codeFor([item])
    const forged = confirm.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10))
    expect(await silent.call('delete', { items: [item], confirm: forged })).toMatchObject(REFUSED)
    expect(await silent.call('delete', { items: [item], confirm: 'yes' })).toMatchObject(REFUSED)
  })

  test('that is older than five minutes is refused', async () => {
    const item = await todo()
    const confirm = await codeFor([item])
    h.clock.advance({ minutes: 5, ms: 1 })
    expect(await silent.call('delete', { items: [item], confirm })).toMatchObject(REFUSED)
    expect(await isThere(item)).toBe(true)
  })
})

describe('a change is asked about', () => {
  const ASKED = { isError: true, body: { code: 'confirmation_required' } }

  test('if it is of more than five records', async () => {
    const items = []
    for (let count = 0; count < 6; count++) items.push({ ...(await todo()), completed: true })
    expect(await silent.call('change', { items: items.slice(0, 5) })).toMatchObject({ isError: false })
    const fresh = []
    for (let count = 0; count < 6; count++) fresh.push({ ...(await todo()), completed: true })
    expect(await silent.call('change', { items: fresh })).toMatchObject(ASKED)
  })

  test('if it is of a series, but not of one occurrence', async () => {
    const series = await createEvent(actor, {
      start_at: '2026-03-05T19:00',
      end_at: '2026-03-05T20:00',
      recurrence_rule: 'FREQ=WEEKLY',
    })
    const item = { type: 'event', id: series.id, version: series.version, title: 'Band' }
    expect(await silent.call('change', { items: [item] })).toMatchObject(ASKED)
    const occurrence = '2026-03-12T19:00:00+01:00'
    expect(
      await silent.call('change', { items: [{ ...item, occurrence, scope: 'following' }] }),
    ).toMatchObject(ASKED)
    expect(await silent.call('change', { items: [{ ...item, occurrence, scope: 'this' }] })).toMatchObject({
      isError: false,
    })
  })

  test('if it is in a shared calendar, or moves something there, whoever owns that', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const times = { start_at: '2026-03-05T19:00', end_at: '2026-03-05T20:00' }
    const event = await createEvent(ada, { ...times, calendar_id: calendar.id })
    const own = await createEvent(ada, times)
    const [hers, his] = [await assistantOf(h, ada), await assistantOf(h, bob)]
    const items = [{ type: 'event', id: event.id, version: event.version, title: 'Band' }]
    expect(await hers.call('change', { items })).toMatchObject(ASKED)
    const asked = await his.call('change', { items })
    expect(asked).toMatchObject(ASKED)
    expect(asked.body.question).toBe(`Change event ${event.id} of somebody else (Thursday)?`)
    const move = { type: 'event', id: own.id, version: own.version }
    expect(await hers.call('change', { items: [{ ...move, title: 'Alone' }] })).toMatchObject({
      isError: false,
    })
    expect(
      await hers.call('change', { items: [{ ...move, version: 2, calendar_id: calendar.id }] }),
    ).toMatchObject(ASKED)
  })
})
