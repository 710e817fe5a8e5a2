import { beforeAll, expect, test } from 'bun:test'
import { type Actor } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

/** Putting these into a normal form would take minutes: their order is quadratic work. */
const MARKS = '\u0301\u0327'
const MEGABYTE = MARKS.repeat(250_000)

const h = useHarness()
let ada: Actor
beforeAll(async () => {
  h.peer.address = '127.0.0.1'
  ada = await h.signedIn()
})

test.each([
  ['/api/auth/login', 'username', { password: 'x' }],
  ['/api/auth/login', 'password', { username: 'ada' }],
  ['/api/auth/register', 'username', { password: 'correct horse battery' }],
  ['/api/todos', 'title', {}],
  ['/api/todos', 'description', { title: 'x' }],
  ['/api/people', 'address', { first_name: 'x' }],
  ['/api/connections/search', 'network_name', {}],
] as const)('a megabyte of combining marks stalls nobody: %s %s', async (path, field, others) => {
  for (const text of [MEGABYTE, `a${MEGABYTE}`, ` ${MEGABYTE} `]) {
    const { status } = await ada.request('POST', path, { body: { ...others, [field]: text } })
    expect([401, 403, 404, 422]).toContain(status)
  }
})

test('more than thirty combining marks in a row are refused, and thirty are taken', async () => {
  const create = (title: string) => ada.request('POST', '/api/todos', { body: { title } })
  expect((await create(`a${'\u0327'.repeat(31)}`)).body.detail).toBe(
    'title: must not contain more than 30 combining marks in a row',
  )
  expect((await create(`a${'\u0327'.repeat(30)}`)).status).toBe(201)
  expect((await create('e\u0301')).body.title).toBe('\u00e9')
})

test('a file with such texts is taken in, with thirty of each run', async () => {
  const card = `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nN:Ada;;;;\r\nNOTE:a${MARKS.repeat(5000)}\r\nEND:VCARD\r\n`
  const imported = await ada.request('POST', '/api/people/import', {
    body: card,
    headers: { 'content-type': 'text/vcard' },
  })
  expect(imported.body).toMatchObject({ created: 1 })
  const { body } = await ada.request('GET', '/api/people')
  expect([...body.people[0].notes].length).toBeLessThanOrEqual(31)
})

test('a search for such words, and for what stands among them, is answered', async () => {
  const { status } = await ada.request('GET', `/api/search?q=${encodeURIComponent(`a${MARKS.repeat(15)}`)}`)
  expect(status).toBe(200)
})
