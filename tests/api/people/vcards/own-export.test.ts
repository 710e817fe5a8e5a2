import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people, settings } from '../../../../src/db/schema'
import { ADDRESS_BOOKS } from '../../../support/address-books'
import { checksums } from '../../../support/checksum'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const MIB = 1_048_576
const take = (actor: Actor, body: string, query = '') =>
  actor.request('POST', `/api/people/import${query}`, { body, headers: { 'content-type': 'text/vcard' } })
const exported = async (actor: Actor): Promise<string> =>
  (await actor.request('GET', '/api/people/export')).body
const ok = ({ status, body }: { status: number; body: unknown }) => {
  if (status >= 300) throw new Error(JSON.stringify(body))
  return body
}

const FULL = {
  first_name: 'Zoë; 🎂',
  last_name: 'Love\\lace, "x"',
  nickname: 'A, B',
  email: 'ada@example.org',
  phone: '1',
  mobile: '2',
  address: '1, Square; London',
  company: 'C, Ltd.',
  job_title: 'Poet',
  birthday: '--02-29',
  category: 'Friends, Family',
  notes: `two\r\nlines${'東京, \\; '.repeat(900)}\ufeff`,
  is_favourite: true,
}

const card = (...lines: readonly string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
const FOREIGN = [
  card('UID:escaped\\, \\;\\n and long', 'FN:Escaped'),
  card('FN:Without UID', 'item1.TEL:1', 'item1.X-ABLabel:Office'),
  card('UID:directions', 'FN:Directions', 'NOTE:a\u202eb\\n\u2066c\\n\u2067d\u2069'),
  card('UID:company', 'ORG:Only an organisation;Department'),
  card('UID:kept', 'FN:Kept', 'BDAY:1985', `NOTE:${'x'.repeat(10_001)}`, 'X-ODD;X-Q="a;b:c":kept \\\\ whole'),
  card('UID:picture', 'FN:Picture', `PHOTO;ENCODING=b;TYPE=JPEG:${'QUJD'.repeat(MIB / 4 - 50)}`),
  card('UID:chinese', 'FN:Chinese', `X-NOTE:${'東'.repeat(MIB - 100)}`),
  card('UID:lines', 'FN:Lines', ...Array.from({ length: 996 }, (_, n) => `X-LINE:${n}`)),
].join('')

/** People who were made here, who came out of files, and of both kinds some who were changed since. */
async function richAddressBook() {
  const ada = await h.signedIn()
  await h.db.update(settings).set({ ntfyEnabled: true })
  const make = (body: object) => ada.request('POST', '/api/people', { body })
  for (const [name, value] of Object.entries(FULL)) ok(await make({ first_name: 'Only', [name]: value }))
  for (const body of [
    FULL,
    { nickname: 'x'.repeat(100) },
    { last_name: '\ufeffA\ufeffB', birthday: '1900-01-01' },
  ]) {
    ok(await make(body))
  }
  for (const file of [...Object.values(ADDRESS_BOOKS), FOREIGN]) ok(await take(ada, file))
  const listed = (await ada.request('GET', '/api/people?limit=200')).body.people
  const edits = [
    { first_name: 'Other', notes: null },
    { birthday: '1985-04-12', company: 'New; Ltd.' },
    { email: null, is_favourite: true, category: 'B' },
  ]
  for (const [n, { id }] of listed.entries()) {
    const body = edits[n % (edits.length + 1)]
    if (body) ok(await ada.request('PUT', `/api/people/${id}`, { body }))
  }
  return ada
}

test('an export that is imported where it came from is unchanged, and changes nothing', async () => {
  const ada = await richAddressBook()
  const text = await exported(ada)
  const checksum = await checksums(h.db)
  const before = await checksum()
  const unchanged = await h.db.$count(people, eq(people.userId, ada.row.id))
  expect(unchanged).toBeGreaterThan(25)
  for (const file of [text, text.replaceAll('\r\n', '\n'), text.replaceAll('\r\n ', '')]) {
    for (const query of ['?dry_run=true', '']) {
      const answered = await take(ada, file, query)
      expect([answered.status, answered.body]).toEqual([
        200,
        { created: 0, updated: 0, unchanged, skipped: [] },
      ])
    }
  }
  expect(await exported(ada)).toBe(text)
  expect(await checksum()).toEqual(before)
}, 60_000)

test('An import of an own export takes over what has changed on either side since, and nothing else', async () => {
  const ada = await h.signedIn()
  const make = async (first_name: string) =>
    (await ada.request('POST', '/api/people', { body: { first_name } })).body.id
  const [one, , three] = [await make('One'), await make('Two'), await make('Three')]
  const text = await exported(ada)
  await ada.request('PUT', `/api/people/${three}`, { body: { phone: '3' } })
  const edited = text.replace('FN:Two', 'FN:Two\r\nTEL:2')
  expect((await take(ada, edited)).body).toEqual({ created: 0, updated: 2, unchanged: 1, skipped: [] })
  const { people: listed } = (await ada.request('GET', '/api/people')).body
  expect(listed.map(({ first_name, phone }: Record<string, string>) => [first_name, phone])).toEqual([
    ['One', null],
    ['Three', null],
    ['Two', '2'],
  ])
  expect((await ada.request('GET', `/api/people/${one}`)).body.version).toBe(1)
})

test('whoever is added while an export is read is not in it, and comes in with the next one', async () => {
  const ada = await h.signedIn()
  const now = h.clock.now()
  const rows = Array.from({ length: 600 }, (_, n) => ({
    userId: ada.row.id,
    firstName: `First${n}`,
    notes: 'x'.repeat(2000),
    createdAt: now,
    updatedAt: now,
  }))
  await h.db.insert(people).values(rows)
  const request = new Request('http://localhost/api/people/export', {
    headers: { cookie: `session=${ada.token}` },
  })
  const response = await h.app.fetch(request)
  ok(await ada.request('POST', '/api/people', { body: { first_name: 'Late' } }))
  const text = await response.text()
  expect(text).not.toContain('FN:Late')
  expect((await take(ada, text)).body).toEqual({ created: 0, updated: 0, unchanged: 600, skipped: [] })
  expect(await exported(ada)).toContain('FN:Late\r\n')
})
