import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people as table } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const IMPORT = '/api/people/import'
const h = useHarness()

const vcard = { 'content-type': 'text/vcard' }
type File = string | Uint8Array<ArrayBuffer>
const send = (actor: Actor, body: File, query = '') =>
  actor.request('POST', `${IMPORT}${query}`, { body, headers: vcard })
const people = async (actor: Actor) => (await actor.request('GET', '/api/people')).body.people
const storedOf = ({ row }: Actor) => h.db.select().from(table).where(eq(table.userId, row.id))
const count = async (actor: Actor) => h.db.$count(table, eq(table.userId, actor.row.id))

/** Cards of version 3.0 out of lines of their own. */
const cards = (...each: ReadonlyArray<readonly string[]>) =>
  each.map((lines) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')).join('')
const named = (n: number) => [`UID:u${n}`, `N:Last${n};First${n};;;`, `FN:First${n} Last${n}`]

describe('an import', () => {
  test('takes changed cards over, keeps what is only here, and leaves the others', async () => {
    const ada = await h.signedIn()
    await send(ada, cards([...named(1), 'NOTE:old', 'TEL:1'], named(2)))
    const [one, two] = await people(ada)
    await ada.request('PUT', `/api/people/${one.id}`, { body: { is_favourite: true, phone: '2' } })
    await ada.request('PUT', `/api/people/${two.id}`, { body: { phone: '3' } })
    const again = await send(ada, cards([...named(1), 'NOTE:new'], named(2), named(3)))
    expect(again.body).toEqual({ created: 1, updated: 1, unchanged: 1, skipped: [] })
    expect(await people(ada)).toMatchObject([
      { id: one.id, notes: 'new', phone: null, is_favourite: true, version: 3, created_at: one.created_at },
      { id: two.id, phone: '3', version: 2 },
      { first_name: 'First3', version: 1 },
    ])
  })

  test('knows a card without UID by its content, however it is folded', async () => {
    const ada = await h.signedIn()
    const file = cards(['FN:Ada', 'NOTE:one two three'], ['FN:Bob'])
    expect((await send(ada, file)).body).toMatchObject({ created: 2 })
    const folded = file.replace('one two', 'one\r\n  two').replaceAll('\r\n', '\n')
    expect((await send(ada, folded)).body).toMatchObject({ created: 0, unchanged: 2 })
    expect((await send(ada, file.replace('three', 'four'))).body).toMatchObject({ created: 1, unchanged: 1 })
    expect(await people(ada)).toHaveLength(3)
  })

  test('only tells with dry_run what it would do', async () => {
    const ada = await h.signedIn()
    await send(ada, cards(named(1), named(2)))
    const before = await storedOf(ada)
    const file = cards(named(1), [...named(2), 'NOTE:x'], named(3), ['FN:A\0B'])
    const skipped = [{ uid: null, reason: 'contains U+0000' }]
    const expected = { created: 1, updated: 1, unchanged: 1, skipped }
    for (const query of ['?dry_run', '?dry_run=true', '?dry_run=']) {
      expect((await send(ada, file, query)).body).toEqual(expected)
    }
    expect(await storedOf(ada)).toEqual(before)
    expect((await send(ada, file, '?dry_run=false')).body).toEqual(expected)
    expect(await people(ada)).toHaveLength(3)
  })

  test('touches nobody else’s people, even under the same UID', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await send(ada, cards(named(1)))
    const before = await storedOf(ada)
    expect((await send(eve, cards([...named(1), 'NOTE:x']))).body).toMatchObject({ created: 1 })
    expect(await storedOf(ada)).toEqual(before)
  })

  test('takes ten thousand cards in', async () => {
    const ada = await h.signedIn()
    const file = cards(...Array.from({ length: 10_000 }, (_, n) => named(n)))
    expect((await send(ada, file)).body).toEqual({ created: 10_000, updated: 0, unchanged: 0, skipped: [] })
    expect((await send(ada, file)).body).toMatchObject({ created: 0, unchanged: 10_000 })
    expect(await count(ada)).toBe(10_000)
    const text: string = (await ada.request('GET', '/api/people/export')).body
    expect(new Set(text.match(/^UID:.*$/gm)).size).toBe(10_000)
  }, 30_000)

  test('Two imports of the same file at once make each person once', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const file = cards(...Array.from({ length: 30 }, (_, n) => named(n)), ['FN:Without UID'])
      const answers = await raceOf(4, () => send(ada, file))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const created = answers.reduce((sum, { body }) => sum + body.created, 0)
      expect([created, await count(ada)]).toEqual([31, 31])
    }
  })

  test('beside changes and deletions of the same people ends without a failure', async () => {
    const ada = await h.signedIn()
    const version = (n: number) => cards(...Array.from({ length: 20 }, (_, i) => [...named(i), `NOTE:${n}`]))
    await send(ada, version(0))
    for (let round = 1; round <= 10; round++) {
      const rows = await people(ada)
      const answers = await Promise.all([
        send(ada, version(round)),
        send(ada, version(round)),
        ...rows.map(({ id }: { id: number }, n: number) =>
          n % 7 === 0
            ? ada.request('DELETE', `/api/people/${id}`)
            : ada.request('PUT', `/api/people/${id}`, { body: { phone: '1' } }),
        ),
      ])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
    }
  })
})

describe('one bad card stops no other', () => {
  test.each([
    { why: 'contains U+0000', lines: ['UID:bad', 'FN:A\0B'] },
    {
      why: 'has more than 10000 lines',
      lines: ['UID:bad', 'FN:A', ...Array.from({ length: 10_000 }, () => 'X-A:1')],
    },
    { why: 'appears twice in the file', lines: ['UID:u1', 'FN:Again'] },
  ])('that $why', async ({ why, lines }) => {
    const ada = await h.signedIn()
    const uid = lines[0]?.slice(4) ?? null
    const { status, body } = await send(ada, cards(named(1), lines, named(2)))
    expect([status, body]).toEqual([
      200,
      { created: 2, updated: 0, unchanged: 0, skipped: [{ uid, reason: why }] },
    ])
    expect((await people(ada)).map((p: { first_name: string }) => p.first_name)).toEqual(['First1', 'First2'])
  })

  test('that has no end, at the end of the file or before another card', async () => {
    const ada = await h.signedIn()
    const open = 'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:open\r\nFN:Open\r\n'
    const { body } = await send(ada, `${open}${cards(named(1))}${open}`)
    const skipped = { uid: 'open', reason: 'has no end' }
    expect(body).toMatchObject({ created: 1, skipped: [skipped, skipped] })
  })

  test('in a file put together of files that carry marks of their encoding', async () => {
    const ada = await h.signedIn()
    const { body } = await send(ada, `\ufeff${cards(named(1))}\ufeff${cards(named(2))}`)
    expect(body).toEqual({ created: 2, updated: 0, unchanged: 0, skipped: [] })
  })
})

describe('no valid card is refused', () => {
  const SAID = { last_name: null, nickname: null, notes: null }
  test.each([
    { lines: ['UID:odd', 'N:;;;;', 'FN:'], shown: { first_name: 'Unnamed' } },
    { lines: ['UID:odd', 'FN: ', 'N: ;\\n;;;', 'ORG:;', 'TEL:1'], shown: { first_name: '1' } },
    {
      lines: ['UID:odd', 'EMAIL:a@example.org', 'TEL:1'],
      shown: { first_name: 'a@example.org', phone: '1' },
    },
    { lines: ['UID:odd', 'EMAIL:not an address'], shown: { first_name: 'not an address', email: null } },
    { lines: ['UID:odd', 'FN:A', 'a line without a colon'], shown: { first_name: 'A' } },
    { lines: ['UID:odd', 'FN:A', 'TEL;TYPE="home:1'], shown: { first_name: 'A', phone: null } },
    { lines: ['UID:odd', 'FN:A', 'NOTE;ENCODING=b:%%%'], shown: { first_name: 'A' } },
    { lines: ['UID:odd', 'FN:A', 'X Y:1', 'X;VALUE="a;b":1'], shown: { first_name: 'A' } },
    { lines: ['UID:odd', 'FN;ENCODING=QUOTED-PRINTABLE:A=00B'], shown: { first_name: 'AB' } },
    { lines: ['UID:odd', `N:${'x'.repeat(101)};;;;`], shown: { last_name: `${'x'.repeat(99)}…` } },
    { lines: ['UID:odd', `FN:${'😀'.repeat(101)}`], shown: { first_name: `${'😀'.repeat(99)}…` } },
    { lines: ['UID:odd', 'FN:A', 'BDAY:2026-03-05'], shown: { first_name: 'A', birthday: null } },
    { lines: ['UID:odd', 'FN:A', 'AGENT:', 'BEGIN:VCARD', 'FN:B', 'END:VCARD'], shown: { first_name: 'A' } },
    { lines: ['UID:odd', 'FN:A', 'BEGIN:VEVENT', 'END:VEVENT'], shown: { first_name: 'A' } },
    { lines: ['UID:odd', 'FN:A', `PHOTO:${'x'.repeat(4_000_000)}`], shown: { first_name: 'A' } },
    { lines: [`UID:${'x'.repeat(501)}`, 'FN:A'], shown: { first_name: 'A' } },
  ])('%#', async ({ lines, shown }) => {
    const ada = await h.signedIn()
    const file = cards(lines)
    expect((await send(ada, file)).body).toEqual({ created: 1, updated: 0, unchanged: 0, skipped: [] })
    expect(await people(ada)).toMatchObject([{ ...SAID, ...shown }])
    expect((await ada.request('GET', '/api/people/export')).body).toBe(file)
    expect((await send(ada, file)).body).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: [] })
  })

  test.each([
    ['X-ADDRESSBOOKSERVER-KIND:group', 'X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1'],
    ['KIND:group', 'MEMBER:urn:uuid:1'],
  ])('A group is kept, and is no person', async (kind, member) => {
    const ada = await h.signedIn()
    const file = cards(named(1), ['UID:group', 'FN:Friends', 'BDAY:2000-01-01', kind, member])
    expect((await send(ada, file)).body).toEqual({ created: 2, updated: 0, unchanged: 0, skipped: [] })
    expect(await people(ada)).toMatchObject([{ first_name: 'First1' }])
    expect((await ada.request('GET', '/api/people/export')).body).toBe(file)
    expect((await send(ada, file)).body).toMatchObject({ created: 0, unchanged: 2 })
    const grown = file.replace('FN:Friends', 'FN:Good friends')
    expect((await send(ada, grown)).body).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
    expect((await ada.request('GET', '/api/people/export')).body).toBe(grown)
  })
})

describe('a card without a name and without a nickname', () => {
  test.each([
    { org: 'ORG:Royal Society;Library', company: 'Royal Society', name: 'Royal Society' },
    { org: 'ORG:;Library', company: 'Library', name: 'Library' },
    { org: `ORG:${'x'.repeat(150)}`, company: 'x'.repeat(150), name: `${'x'.repeat(99)}…` },
    { org: `ORG:${'x'.repeat(250)}`, company: `${'x'.repeat(199)}…`, name: `${'x'.repeat(99)}…` },
  ])('becomes a person known by its organisation', async ({ org, company, name }) => {
    const ada = await h.signedIn()
    const file = cards(['UID:org', 'N:;;;;', 'FN:', org, 'EMAIL:a@example.org'])
    expect((await send(ada, file)).body).toMatchObject({ created: 1, skipped: [] })
    const [person] = await people(ada)
    expect(person).toMatchObject({ first_name: name, last_name: null, nickname: null, company })
    const text: string = (await ada.request('GET', '/api/people/export')).body
    expect(text.replaceAll('\r\n ', '')).toContain(`\r\n${org}\r\n`)
    const eve = await h.signedIn()
    await send(eve, text)
    expect(await people(eve)).toMatchObject([{ first_name: name, nickname: null, company }])
  })
})

describe('what a field here cannot hold stays in the card', () => {
  test.each([
    { line: `NOTE:${'x'.repeat(10_001)}`, field: 'notes', shown: `${'x'.repeat(9999)}…` },
    { line: `ADR:;;${'x'.repeat(501)};;;;`, field: 'address', shown: `${'x'.repeat(499)}…` },
    { line: `ORG:${'x'.repeat(201)}`, field: 'company', shown: `${'x'.repeat(199)}…` },
    { line: `TITLE:${'x'.repeat(201)}`, field: 'job_title', shown: `${'x'.repeat(199)}…` },
    { line: `TEL:${'x'.repeat(201)}`, field: 'phone', shown: `${'x'.repeat(199)}…` },
    { line: `TEL;TYPE=CELL:${'x'.repeat(201)}`, field: 'mobile', shown: `${'x'.repeat(199)}…` },
    { line: `NICKNAME:${'x'.repeat(101)}`, field: 'nickname', shown: `${'x'.repeat(99)}…` },
    { line: `CATEGORIES:${'x'.repeat(51)}`, field: 'category', shown: `${'x'.repeat(49)}…` },
    { line: 'EMAIL:not an address', field: 'email' },
    { line: 'BDAY:1985', field: 'birthday' },
    { line: 'BDAY:1899-12-31', field: 'birthday' },
    { line: 'BDAY:--02-30', field: 'birthday' },
    { line: 'BDAY;VALUE=TEXT:circa 1800', field: 'birthday' },
    { line: 'constructor:1', field: 'notes' },
    { line: '__proto__;__proto__=1:2', field: 'notes' },
    { line: 'X-A;hasOwnProperty=1;TOSTRING=2:3', field: 'notes' },
  ])('%#', async ({ line, field, shown }: { line: string; field: string; shown?: string }) => {
    const ada = await h.signedIn()
    expect((await send(ada, cards([...named(1), line]))).body).toMatchObject({ created: 1, skipped: [] })
    const [person] = await people(ada)
    expect(person).toMatchObject({ first_name: 'First1', [field]: shown ?? null })
    const text: string = (await ada.request('GET', '/api/people/export')).body
    const value = line.slice(line.indexOf(':'))
    expect(text.replaceAll('\r\n ', '')).toContain(`${value}\r\n`)
  })

  test('A birthday that is set here takes the place of one that cannot be read', async () => {
    const ada = await h.signedIn()
    await send(ada, cards([...named(1), 'BDAY:1985']))
    const [{ id }] = await people(ada)
    await ada.request('PUT', `/api/people/${id}`, { body: { birthday: '1985-04-12' } })
    const text: string = (await ada.request('GET', '/api/people/export')).body
    expect(text.match(/^BDAY.*$/gm)?.map((line) => line.trim())).toEqual(['BDAY:1985-04-12'])
  })
})

describe('a birthday', () => {
  test.each([
    ['BDAY:19850412', '1985-04-12'],
    ['BDAY:1985-04-12', '1985-04-12'],
    ['BDAY:1985-04-12T00:00:00Z', '1985-04-12'],
    ['BDAY;VALUE=date-time:19850412T101500', '1985-04-12'],
    ['BDAY:--0412', '--04-12'],
    ['BDAY:--04-12', '--04-12'],
    ['BDAY:--0229', '--02-29'],
    ['BDAY:1604-02-29', '--02-29'],
    ['BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-05', '--03-05'],
    ['BDAY;VALUE=date;X-APPLE-OMIT-YEAR=1904:1904-03-05', '--03-05'],
    ['BDAY:2024-02-29', '2024-02-29'],
  ])('%s is %s', async (line, birthday) => {
    const ada = await h.signedIn()
    await send(ada, cards([...named(1), line]))
    expect(await people(ada)).toMatchObject([{ birthday }])
  })
})

describe('a file that is none', () => {
  const bytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  test.each([
    { why: 'empty', file: '' },
    { why: 'text', file: 'hello' },
    { why: 'JSON', file: '{"BEGIN":"VCARD"}' },
    { why: 'a calendar', file: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n' },
    { why: 'binary', file: bytes(60_000) },
    { why: 'the end of a card', file: 'END:VCARD\r\n' },
    { why: 'NULs', file: '\0'.repeat(100_000) },
    { why: '10 MiB of one line', file: 'x'.repeat(10_485_760) },
    { why: '10 MiB of spaces', file: ' '.repeat(10_485_760) },
    { why: '10 MiB of line breaks', file: '\n'.repeat(10_485_760) },
  ])('is refused: $why', async ({ file }) => {
    const ada = await h.signedIn()
    expect(await send(ada, file)).toMatchObject({
      status: 422,
      body: {
        detail: 'file: is not a vCard file',
        errors: [{ field: 'file', message: 'is not a vCard file' }],
      },
    })
    expect(await people(ada)).toEqual([])
  })

  test('A file of more cards than anybody has is refused', async () => {
    const ada = await h.signedIn()
    for (const card of ['BEGIN:VCARD\nEND:VCARD\n', 'BEGIN:VCARD\n']) {
      const answered = await send(ada, card.repeat(Math.floor(10_485_760 / card.length)))
      expect([answered.status, answered.body.detail]).toEqual([422, 'file: has more than 50000 cards'])
    }
  })
})
