import { describe, expect, test } from 'bun:test'
import { ADDRESS_BOOKS, APPLE, GOOGLE, OUTLOOK, THUNDERBIRD } from '../../../support/address-books'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const vcard = { 'content-type': 'text/vcard' }
const send = (actor: Actor, body: string | Uint8Array<ArrayBuffer>, query = '') =>
  actor.request('POST', `/api/people/import${query}`, { body, headers: vcard })
const exported = async (actor: Actor): Promise<string> =>
  (await actor.request('GET', '/api/people/export')).body
const unfolded = async (actor: Actor) => (await exported(actor)).replaceAll('\r\n ', '').split('\r\n')
const people = async (actor: Actor) => (await actor.request('GET', '/api/people')).body.people

/** What one sees of people, whoever has them and since when. */
const contents = async (actor: Actor) =>
  (await people(actor)).map((person: Record<string, unknown>) => ({
    ...person,
    id: 0,
    book_id: 0,
    version: 0,
    created_at: '',
    updated_at: '',
  }))

describe.each(Object.entries(ADDRESS_BOOKS))('a file of %s', (_, file) => {
  const count = file.split('BEGIN:VCARD').length - 1

  test('comes in whole, a second time changes nothing, and goes out as it is taken in elsewhere', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    expect(await send(ada, file)).toMatchObject({
      status: 200,
      body: { created: count, updated: 0, unchanged: 0, skipped: [] },
    })
    const before = await people(ada)
    expect((await send(ada, file)).body).toEqual({ created: 0, updated: 0, unchanged: count, skipped: [] })
    expect(await people(ada)).toEqual(before)
    const text = await exported(ada)
    expect((await send(eve, text)).body).toMatchObject({ created: count, skipped: [] })
    expect(await contents(eve)).toEqual(await contents(ada))
    expect(await exported(eve)).toBe(text)
  })

  test('goes out byte for byte as it came in', async () => {
    const ada = await h.signedIn()
    await send(ada, file)
    expect(await exported(ada)).toBe(file)
  })

  test('is understood with LF, with CR, with a mark of its encoding and in UTF-16', async () => {
    const lf = file.replaceAll('\r\n', '\n')
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${lf}`, 'utf16le'))
    const ada = await h.signedIn()
    await send(ada, file)
    const expected = await contents(ada)
    for (const variant of [lf, file.replaceAll('\r\n', '\r'), `\ufeff${file}`, utf16]) {
      const eve = await h.signedIn()
      expect((await send(eve, variant)).body).toMatchObject({ created: count, skipped: [] })
      expect(await contents(eve)).toEqual(expected)
    }
  })
})

describe('the fields', () => {
  test('of Apple: labels, a birthday without a year, several lines', async () => {
    const ada = await h.signedIn()
    await send(ada, APPLE)
    expect(await people(ada)).toMatchObject([
      {
        first_name: 'Ada',
        last_name: 'Lovelace',
        nickname: 'Enchantress',
        email: 'ada@example.org',
        phone: '+44 20 7946 0001',
        mobile: '+44 7700 900001',
        address: "12 St James's Square\nFlat 2, London, SW1Y 4JH, England",
        company: 'Analytical Engines, Ltd.',
        job_title: 'Programmer',
        birthday: '--12-10',
        age: null,
        category: null,
        notes: 'Notes on the engine:\n\n- loops, tables; and a "Bernoulli" number',
        is_favourite: false,
        linked_user_id: null,
        shared_profile: null,
        version: 1,
      },
      { first_name: 'The Royal Society', last_name: null, company: 'The Royal Society' },
    ])
  })

  test('of Google: groups and labels; somebody of whom only the e-mail address is known is called by it', async () => {
    const ada = await h.signedIn()
    await send(ada, GOOGLE)
    expect(await people(ada)).toMatchObject([
      {
        first_name: 'Grace',
        last_name: 'Hopper',
        email: 'grace@example.com',
        mobile: '+1 555 0100',
        phone: '+1 555 0101',
        birthday: '1906-12-09',
        age: 119,
        category: 'Friends, Navy',
        notes: 'Invented the compiler',
      },
      { first_name: 'only-a-mail@example.com', email: 'only-a-mail@example.com', category: 'Other' },
    ])
  })

  test('of Outlook: charsets, soft line breaks, bare types, a picture', async () => {
    const ada = await h.signedIn()
    await send(ada, OUTLOOK)
    expect(await people(ada)).toMatchObject([
      {
        first_name: 'Jürgen',
        last_name: 'Müller',
        company: 'Example, Inc.',
        notes: 'First line\nA second line that is so long that it does not fit; it costs 5 €',
        phone: '(555) 010-0200',
        mobile: '(555) 010-0201',
        address: 'Hauptstraße 1\nHinterhaus, Berlin, 10115, Germany',
        birthday: '1972-02-29',
        age: 54,
        email: 'juergen@example.com',
      },
    ])
  })

  test('of Thunderbird: addresses as values, lists, quoted parameters', async () => {
    const ada = await h.signedIn()
    await send(ada, THUNDERBIRD)
    expect(await people(ada)).toMatchObject([
      {
        first_name: 'Alan',
        last_name: 'Turing',
        nickname: 'Prof, Al',
        email: 'alan@example.org',
        mobile: '+44-7700-900003',
        phone: '+44 20 7946 0003',
        birthday: '--06-23',
        address: "King's Parade, Cambridge, Cambs, East, CB2 1ST, England",
        company: 'Bletchley Park',
      },
    ])
  })

  test('that were edited here go out as they are now, the rest of the card as it was', async () => {
    const ada = await h.signedIn()
    await send(ada, APPLE)
    const [person] = await people(ada)
    const changes = {
      last_name: 'King; of Ada',
      email: null,
      mobile: '1',
      birthday: '1915-12-10',
      category: 'Maths',
    }
    await ada.request('PUT', `/api/people/${person.id}`, { body: changes })
    const lines = await unfolded(ada)
    for (const line of [
      'N:King\\; of Ada;Ada;Augusta;Countess;',
      'FN:Ada King\\; of Ada',
      'TEL;type=CELL;type=VOICE:1',
      'BDAY:1915-12-10',
      'CATEGORIES:Maths',
      'ORG:Analytical Engines\\, Ltd.;Research;',
      'item1.EMAIL;type=INTERNET:countess@example.net',
    ]) {
      expect(lines).toContain(line)
    }
    expect(lines.join()).not.toContain('ada@example.org')
    expect((await send(ada, APPLE)).body).toMatchObject({ updated: 0, unchanged: 2 })
    expect(
      (await people(ada)).some(({ last_name }: { last_name: string }) => last_name === 'King; of Ada'),
    ).toBe(true)
  })
})
