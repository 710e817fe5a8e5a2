import { beforeAll, describe, expect, test } from 'bun:test'
import { calendar, calendarOf, exportOf, importInto } from '../../support/calendar-files'
import { organiser } from '../../support/events'
import { type Actor } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

const h = useHarness()
let ada: Awaited<ReturnType<typeof organiser>>
beforeAll(async () => {
  ada = await organiser(h)
})

const RLO = '\u202e'
/** As somebody sends it who wants to be read otherwise. */
const HOSTILE = `a\r\n${RLO}gnp.exe\u0007\u001b[31m`

const send = (path: string, body: object, method = 'POST') => ada.request(method, path, { body })

describe('a single-line text', () => {
  test.each([
    ['/api/todos', 'title', {}],
    ['/api/reminders', 'title', {}],
    ['/api/projects', 'name', {}],
    ['/api/people', 'first_name', {}],
    ['/api/calendars', 'name', {}],
    ['/api/events', 'title', { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }],
    ['/api/events', 'location', { title: 'T', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }],
    ['/api/event-templates', 'title', { name: 'N' }],
  ])('of %s refuses control characters as %s, and loses stray directions', async (path, field, others) => {
    const refused = await send(path, { ...others, [field]: HOSTILE })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      `${field}: must not contain control characters`,
    ])
    const made = await send(path, { ...others, [field]: ` ${RLO}x\ty\u2067${RLO}z\u2069 ` })
    expect([made.status, made.body[field]]).toEqual([201, `x\ty\u2067${RLO}z\u2069`])
    const changed = await send(`${path}/${made.body.id}`, { [field]: HOSTILE }, 'PUT')
    expect(changed.status).toBe(422)
    if (field !== 'location') expect((await send(path, { ...others, [field]: RLO })).status).toBe(422)
  })

  test('of the settings and of a query is judged alike', async () => {
    expect((await send('/api/settings', { preferred_name: HOSTILE }, 'PUT')).body.detail).toBe(
      'preferred_name: must not contain control characters',
    )
    expect((await ada.request('GET', '/api/search?q=a%0Ab')).status).toBe(422)
  })
})

test('a text of several lines loses the directions that reach beyond one of them', async () => {
  const description = `a${RLO}b\n\u2066c\n\u2067${RLO}d\u2069 `
  const made = await send('/api/todos', { title: 'T', description })
  expect(made.body.description).toBe(`ab\nc\n\u2067${RLO}d\u2069 `)
})

test('an address has lines, and no other control characters', async () => {
  const address = `1 Road\n${RLO}Flat 2\r\nTown\t`
  const made = await send('/api/people', { nickname: 'A', address })
  expect(made.body.address).toBe('1 Road\nFlat 2\r\nTown')
  expect((await send('/api/settings', { address }, 'PUT')).body.address).toBe(made.body.address)
  for (const path of ['/api/people/' + made.body.id, '/api/settings']) {
    expect((await send(path, { address: 'a\u0007b' }, 'PUT')).body.detail).toBe(
      'address: must not contain control characters',
    )
  }
})

describe('a text of several lines', () => {
  test('keeps its lines, and needs a visible character where it is required', async () => {
    const todo = await send('/api/todos', { title: 'T', description: 'a\r\n\tb' })
    expect(todo.body.description).toBe('a\r\n\tb')
    const project = (await send('/api/projects', { name: 'P' })).body.id
    const task = (await send(`/api/projects/${project}/tasks`, { title: 'T' })).body.id
    const comments = `/api/projects/${project}/tasks/${task}/comments`
    for (const body of ['', ' \r\n\t', '\u200b\u00ad', '\u2800', '\u0007', RLO, '\u2066\u2069']) {
      expect([body, (await send(comments, { body })).status]).toEqual([body, 422])
    }
    expect((await send(comments, { body: ' a\n' })).body.body).toBe(' a\n')
  })
})

test('an event template needs a title', async () => {
  for (const title of [undefined, null, '', ' ', RLO]) {
    expect((await send('/api/event-templates', { name: 'Untitled', title })).status).toBe(422)
  }
  const { id } = (await send('/api/event-templates', { name: 'Titled', title: 'T' })).body
  for (const title of [null, '', ' ']) {
    expect((await send(`/api/event-templates/${id}`, { title }, 'PUT')).status).toBe(422)
  }
})

describe('a file', () => {
  const take = (actor: Actor, body: string) =>
    actor.request('POST', '/api/people/import', { body, headers: { 'content-type': 'text/vcard' } })

  test('of events is read with such texts cleaned, and what is exported again is unchanged', async () => {
    const bob = await organiser(h)
    const id = await calendarOf(bob)
    const given = calendar([
      'UID:hostile',
      'DTSTART:20260310T090000Z',
      'DTEND:20260310T100000Z',
      `SUMMARY:a\u0007b\\n${RLO}gnp.exe \u001b[31m`,
      `LOCATION:${RLO}Hall\u0085 1`,
      `DESCRIPTION:two\\nlines`,
    ])
    expect((await importInto(bob, id, given)).body).toMatchObject({ created: 1, skipped: [] })
    const [event] = await bob.list('2026-03-10', '2026-03-11')
    expect(event).toMatchObject({
      title: 'a b gnp.exe  [31m',
      location: 'Hall  1',
      description: 'two\nlines',
    })
    for (const file of [given, await exportOf(bob, id)]) {
      expect((await importInto(bob, id, file)).body).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    }
    expect((await bob.read(event?.id ?? 0)).body.version).toBe(1)
  })

  test('of people is read with such texts cleaned, and what is exported again is unchanged', async () => {
    const bob = await h.signedIn()
    const given = [
      'BEGIN:VCARD',
      'VERSION:4.0',
      'UID:hostile',
      `FN:Bob`,
      `N:S\u0007mith;${RLO}Bob;;;`,
      'ADR:;;1 \u0007Road\\nFlat 2;Town;;;',
      'TITLE:Fit\u001bter',
      'NOTE:two\\nlines',
      'END:VCARD',
      '',
    ].join('\r\n')
    expect((await take(bob, given)).body).toMatchObject({ created: 1, skipped: [] })
    const [person] = (await bob.request('GET', '/api/people')).body.people
    expect(person).toMatchObject({
      first_name: 'Bob',
      last_name: 'S mith',
      address: '1  Road\nFlat 2, Town',
      job_title: 'Fit ter',
      notes: 'two\nlines',
    })
    for (const file of [given, (await bob.request('GET', '/api/people/export')).body]) {
      expect((await take(bob, file)).body).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
    }
  })
})
