import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { vCards } from '../../../../src/adapters/vcard'
import { inTransaction } from '../../../../src/db/transaction'
import { readCard } from '../../../../src/features/people/vcards/rules.reading'
import {
  type CardRef,
  cardsOf,
  removeCard,
  type StoredCard,
  textOf,
  writeCard,
} from '../../../../src/features/people/vcards/service.cards'
import { findPeople } from '../../../../src/features/people/vcards/queries.cards'
import { splitLines } from '../../../../src/lib/vcard/lines'
import { ADDRESS_BOOKS } from '../../../support/address-books'
import { newBook, nicknames } from '../../../support/books'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const send = (actor: Actor, body: string) =>
  actor.request('POST', '/api/people/import', { body, headers: { 'content-type': 'text/vcard' } })
const exported = async (actor: Actor): Promise<string> =>
  (await actor.request('GET', '/api/people/export')).body
const people = async (actor: Actor) => (await actor.request('GET', '/api/people?sort=created_at')).body.people
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
const textsOf = (file: string) => Array.from(vCards.read(new TextEncoder().encode(file)), ({ text }) => text)

/** The properties that a change of a field may write. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  first_name: ['N', 'FN'],
  last_name: ['N', 'FN'],
  nickname: ['NICKNAME', 'FN'],
  company: ['ORG'],
  job_title: ['TITLE'],
  birthday: ['BDAY'],
  category: ['CATEGORIES'],
  notes: ['NOTE'],
  address: ['ADR'],
  is_favourite: ['X-ORGANISER-FAVOURITE'],
}
const edit = fc.record(
  {
    first_name: fc.constantFrom('New; name', 'Zoë'),
    last_name: fc.constantFrom('Other, last', 'Ö'),
    company: fc.constantFrom(null, 'C; D', '東京'),
    job_title: fc.constantFrom(null, 'Chef'),
    birthday: fc.constantFrom(null, '1990-01-02', '--02-29'),
    category: fc.constantFrom(null, 'A, B'),
    notes: fc.constantFrom(null, 'two\nlines; x', 'é'.repeat(200)),
    address: fc.constantFrom(null, 'Street 1; B'),
    is_favourite: fc.constant(true),
  },
  { requiredKeys: [] },
)
const odd = fc.constantFrom(
  'X-ODD;X-Q="a;b:c":kept \\\\ whole\r\n',
  'item9.X-ABLabel:folded\r\n  here\r\n',
  'no line at all\r\n',
  '\r\n',
  'IMPP;X-A=1:xmpp:a@b.example\n',
  'EMAIL;TYPE=other:second@example.org\r\n',
  'RELATED;TYPE=friend:urn:uuid:1\r\n',
)

/** A card without a name is called by its organisation, else by its address, so that a new organisation renames it where it is read anew. */
const calledBy = <P extends object>(person: P): P & { readonly first_name?: unknown } => {
  const { first_name: name, company, email } = person as Record<string, unknown>
  return name === company || name === email ? { ...person, first_name: 'called so' } : person
}

test('what a change by JSON does not mean is in the export byte for byte, whatever the card', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(ADDRESS_BOOKS)),
      fc.array(odd, { maxLength: 4 }),
      edit,
      async (book, more, changes) => {
        const file = book.replaceAll(/^END:VCARD\r\n/gm, (end) => more.join('') + end)
        const ada = await h.signedIn()
        expect((await send(ada, file)).body.skipped).toEqual([])
        for (const { id } of await people(ada)) {
          expect((await ada.request('PUT', `/api/people/${id}`, { body: changes })).status).toBe(200)
        }
        const meant = new Set(['REV', 'UID', ...Object.keys(changes).flatMap((field) => MEANT[field] ?? [])])
        const rest = (text: string) =>
          splitLines(text).flatMap(({ name, raw }) => (meant.has(name) ? [] : [raw]))
        const [before, after] = [textsOf(file), textsOf(await exported(ada))]
        expect(after.map(rest)).toEqual(before.map(rest))
        const shown = await contents(ada)
        const eve = await h.signedIn()
        await send(eve, after.join(''))
        expect((await contents(eve)).map(calledBy)).toEqual(shown.map(calledBy))
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)

const card = (...lines: readonly string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')

async function write(actor: Actor, text: string, target?: CardRef, bookId?: number) {
  const { card: read, reason } = readCard(text)
  if (!read) throw new Error(reason)
  const userId = actor.row.id
  const now = h.clock.now()
  const made = await inTransaction(h.db, (tx) =>
    writeCard(tx, { userId, card: read, target, bookId, now, today: '2026-03-04' }),
  )
  if (!made) throw new Error('no such card')
  return made
}
const stored = async (
  actor: Actor,
  { kind, id }: CardRef,
  wanted: Parameters<typeof cardsOf>[3] = 'kept',
) => {
  const ids = { people: kind === 'person' ? [id] : [], groups: kind === 'group' ? [id] : [] }
  const [found]: Array<StoredCard | undefined> = await cardsOf(h.db, actor.row.id, ids, wanted)
  return found
}

describe('a card that another program writes', () => {
  test('is given back as it was, moves the version, and the same bytes change nothing', async () => {
    const ada = await h.signedIn()
    const text = card('FN:Ada', 'N:;Ada;;;', 'UID:a', 'X-ODD:1')
    const made = await write(ada, text)
    expect(await stored(ada, made)).toMatchObject({ kind: 'person', uid: 'a', version: 1, text })
    expect(await write(ada, text, made)).toEqual({ ...made, isChanged: false })
    const other = text.replace('X-ODD:1', 'X-ODD:2')
    expect(await write(ada, other, made)).toEqual({ ...made, version: 2, isChanged: true })
    expect(await stored(ada, made)).toMatchObject({ version: 2, text: other })
    const { body } = await ada.request('GET', `/api/people/${made.id}`)
    expect(body).toMatchObject({ first_name: 'Ada', version: 2 })
  })

  test('that is read after a change by JSON and written back unchanged changes nothing', async () => {
    const ada = await h.signedIn()
    const made = await write(
      ada,
      card('FN:Ada', 'N:;Ada;;;', 'UID:a', 'item1.TEL;TYPE=home:1', 'item1.X-ABLabel:Boat'),
    )
    await ada.request('PUT', `/api/people/${made.id}`, { body: { phone: '2', is_favourite: true } })
    const read = (await stored(ada, made))?.text ?? ''
    expect(read).toContain('item1.TEL;TYPE=home:2\r\nitem1.X-ABLabel:Boat\r\n')
    expect(await write(ada, read, made)).toMatchObject({ version: 2, isChanged: false })
    const replaced = card('FN:Ada', 'N:;Ada;;;', 'UID:a', 'TEL:3')
    await write(ada, replaced, made)
    expect((await stored(ada, made))?.text).toBe(replaced)
    expect((await ada.request('GET', `/api/people/${made.id}`)).body).toMatchObject({
      phone: '3',
      is_favourite: true,
    })
  })

  test('without UID is taken under one of its own, as a group is, which may become a person', async () => {
    const ada = await h.signedIn()
    const text = card('FN:Friends', 'X-ADDRESSBOOKSERVER-KIND:group')
    const [one, two] = [await write(ada, text), await write(ada, text)]
    const [first, second] = [await stored(ada, one), await stored(ada, two)]
    expect(first).toMatchObject({ kind: 'group', text, uid: expect.stringMatching(/^urn:uuid:/) })
    expect(first?.uid).not.toBe(second?.uid ?? '')
    expect(await people(ada)).toEqual([])
    const person = await write(ada, card('FN:Ada', 'UID:a'), one)
    expect(await stored(ada, one)).toBeUndefined()
    expect(await people(ada)).toMatchObject([{ id: person.id, first_name: 'Ada' }])
    expect(await inTransaction(h.db, (tx) => removeCard(tx, ada.row.id, two))).toBe(true)
    expect(await stored(ada, two)).toBeUndefined()
  })

  test('is in the address book for which it was sent, and stays there when a group becomes a person', async () => {
    const ada = await h.signedIn()
    const work = await newBook(ada)
    const group = await write(ada, card('FN:Friends', 'UID:a', 'KIND:group'), undefined, work)
    await write(ada, card('FN:Grace', 'NICKNAME:Grace', 'UID:b'), undefined, work)
    await write(ada, card('FN:Ada', 'NICKNAME:Ada', 'UID:a'), group)
    expect(await nicknames(ada, work)).toEqual(['Ada', 'Grace'])
  })

  test('is converted only when the other version is asked for; what was made here is 3.0', async () => {
    const ada = await h.signedIn()
    const { id } = (
      await ada.request('POST', '/api/people', { body: { nickname: 'Ada', birthday: '--02-29' } })
    ).body
    const own = await stored(ada, { kind: 'person', id })
    expect(own?.text).toContain('VERSION:3.0\r\n')
    expect(own?.text).toContain('BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29\r\n')
    expect((await stored(ada, { kind: 'person', id }, '4.0'))?.text).toContain('BDAY:--0229\r\n')
    const [source] = await findPeople(h.db, ada.row.id, [id])
    expect(source && textOf(source)).toContain(`UID:${own?.uid}\r\n`)
    expect(await exported(ada)).toContain(`UID:${own?.uid}\r\n`)
  })
})

describe('the text of a person', () => {
  test('comes back with the person from the trash, and with the undoing of an import', async () => {
    const ada = await h.signedIn()
    const text = card('FN:Ada', 'UID:a', 'X-ODD:1')
    await send(ada, text)
    const [{ id }] = await people(ada)
    await ada.request('DELETE', `/api/people/${id}`)
    expect(await exported(ada)).toBe('')
    const [item] = (await ada.request('GET', '/api/trash')).body.items
    expect((await ada.request('POST', `/api/trash/${item.id}/restore`)).status).toBe(200)
    expect(await exported(ada)).toBe(text)
    const group = card('FN:G', 'UID:g', 'KIND:group')
    await send(ada, text.replace('X-ODD:1', 'X-ODD:2') + group)
    expect(await exported(ada)).toContain('X-ODD:2')
    const [last] = (await ada.request('GET', '/api/operations')).body.operations
    expect((await ada.request('POST', `/api/operations/${last.id}/undo`)).status).toBe(200)
    expect(await exported(ada)).toBe(text)
  })

  test('is in the export of the account, beside groups', async () => {
    const ada = await h.signedIn()
    const [text, group] = [card('FN:Ada', 'UID:a', 'X-ODD:1'), card('FN:G', 'UID:g', 'KIND:group')]
    await send(ada, text + group)
    await ada.request('POST', '/api/people', { body: { nickname: 'Made here' } })
    const { body } = await ada.request('GET', '/api/export')
    expect(body.people).toMatchObject([{ vcard: text }, { nickname: 'Made here', vcard: null }])
    expect(body.contact_groups).toMatchObject([{ uid: 'g', vcard: group, version: 1 }])
  })
})
