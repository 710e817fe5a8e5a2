import { describe, expect, test } from 'bun:test'
import { type Actor } from '../../../support/harness'
import { createPerson } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const PEOPLE = '/api/people'
const h = useHarness()

type Listed = { id: number; first_name: string | null; nickname: string | null }

async function addAll(actor: Actor, rows: ReadonlyArray<Record<string, unknown>>) {
  const ids: number[] = []
  for (const body of rows) ids.push((await createPerson(actor, body)).id)
  return ids
}
const list = async (actor: Actor, query = '') => (await actor.request('GET', `${PEOPLE}${query}`)).body
const ids = async (actor: Actor, query = ''): Promise<number[]> =>
  (await list(actor, query)).people.map(({ id }: Listed) => id)

/** The list page by page; between pages `meanwhile` happens. */
async function paged(actor: Actor, query: string, limit: number, meanwhile = async () => {}) {
  const seen: number[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: { people: Listed[]; next_cursor: string | null } = await list(
      actor,
      `?${query}&limit=${limit}${more}`,
    )
    expect(page.people.length).toBeLessThanOrEqual(limit)
    seen.push(...page.people.map(({ id }) => id))
    cursor = page.next_cursor
    await meanwhile()
  }
  return seen
}

describe('the order', () => {
  test('by name is that of the first and last name, else the nickname, without regard to case; equals by id', async () => {
    const ada = await h.signedIn()
    const [zoe, ben, aerger, ben2, anna, nick, eva] = await addAll(ada, [
      { first_name: 'Zoë' },
      { first_name: 'ben', last_name: 'A' },
      { last_name: 'Ärger', nickname: 'zzz' },
      { first_name: 'BEN', last_name: 'a' },
      { first_name: 'anna' },
      { nickname: 'cleo' },
      { first_name: 'Éva' },
    ])
    const expected = [anna, aerger, ben, ben2, nick, eva, zoe]
    expect(await ids(ada)).toEqual(expected as number[])
    expect(await ids(ada, '?sort=name')).toEqual(expected as number[])
    for (const limit of [1, 2, 3]) expect(await paged(ada, 'sort=name', limit)).toEqual(expected as number[])
  })

  test('by birthday is that of the days of the year, whoever has none last', async () => {
    const ada = await h.signedIn()
    const [none, leap, march, leap2, december, none2] = await addAll(ada, [
      { nickname: 'a' },
      { nickname: 'b', birthday: '2000-02-29' },
      { nickname: 'c', birthday: '--03-01' },
      { nickname: 'd', birthday: '--02-29' },
      { nickname: 'e', birthday: '1950-12-31' },
      { nickname: 'f' },
    ])
    const expected = [leap, leap2, march, december, none, none2]
    expect(await ids(ada, '?sort=birthday')).toEqual(expected as number[])
    for (const limit of [1, 2, 4]) {
      expect(await paged(ada, 'sort=birthday', limit)).toEqual(expected as number[])
    }
  })

  test('by created_at is the oldest first, equals by id', async () => {
    const ada = await h.signedIn()
    const first = await addAll(ada, [{ nickname: 'z' }, { nickname: 'y' }])
    h.clock.advance({ ms: 1 })
    const second = await addAll(ada, [{ nickname: 'x' }, { nickname: 'a' }])
    expect(await paged(ada, 'sort=created_at', 1)).toEqual([...first, ...second])
  })
})

describe('paging', () => {
  test.each(['😀', '\\', '"', 'İ'])('goes on after the longest of names, made of %j', async (letter) => {
    const ada = await h.signedIn()
    const longest = { first_name: letter.repeat(100), last_name: letter.repeat(100) }
    const added = await addAll(ada, [longest, longest, longest])
    expect(await paged(ada, 'sort=name', 1)).toEqual(added)
  })

  test.each(['name', 'birthday', 'created_at'])(
    'by %s survives what comes and goes between pages',
    async (sort) => {
      const ada = await h.signedIn()
      const people = Array.from({ length: 12 }, (_, n) => ({
        nickname: `n${String(n).padStart(2, '0')}`,
        birthday: `--0${1 + (n % 9)}-0${1 + (n % 9)}`,
      }))
      const before = await addAll(ada, people)
      const expected = await ids(ada, `?sort=${sort}`)
      const gone = expected[4]
      let done = false
      const seen = await paged(ada, `sort=${sort}`, 5, async () => {
        if (done) return
        done = true
        await addAll(ada, [{ nickname: 'a', birthday: '--01-01' }])
        await ada.request('DELETE', `${PEOPLE}/${gone}`)
      })
      expect(seen.filter((id) => before.includes(id))).toEqual(expected)
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  test('refuses the cursor of another order, of nonsense and of another list', async () => {
    const ada = await h.signedIn()
    await addAll(ada, [{ nickname: 'a' }, { nickname: 'b' }])
    const { next_cursor: byName } = await list(ada, '?limit=1')
    const { next_cursor: byBirthday } = await list(ada, '?limit=1&sort=birthday')
    const encoded = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
    const forged = [
      ['name', 'a'],
      ['name', 'a', 0],
      ['name', 'a', 1.5],
      ['name', 'a', 3_000_000_000],
      ['name', 'a\0', 1],
      ['name', 1, 1],
      ['name', null, 1],
      ['x', 'a', 1],
      'name',
      null,
      ['2026-03-04T09:30:00.000Z', 1],
    ].map((key) => `?cursor=${encoded(key)}`)
    const wrong = [
      `?sort=birthday&cursor=${byName}`,
      `?sort=created_at&cursor=${byName}`,
      `?sort=name&cursor=${byBirthday}`,
      `?sort=birthday&cursor=${encoded(['birthday', '13-01', 1])}`,
      `?sort=created_at&cursor=${encoded(['created_at', 'yesterday', 1])}`,
      ...forged,
      '?cursor=x',
      '?cursor=%22',
    ]
    for (const query of wrong) {
      const { status, body } = await ada.request('GET', `${PEOPLE}${query}`)
      expect([query, status, body.detail]).toEqual([query, 422, 'cursor: is not valid'])
    }
    for (const query of ['?sort=id', '?sort=', '?limit=0', '?limit=201', '?limit=x', '?is_favourite=maybe']) {
      expect([query, (await ada.request('GET', `${PEOPLE}${query}`)).status]).toEqual([query, 422])
    }
  })
})

describe('the filter', () => {
  test('q is a literal part of names, e-mail, numbers, company or job, without regard to case', async () => {
    const ada = await h.signedIn()
    const [full, nick, mail, company, job, odd, cell] = await addAll(ada, [
      { first_name: 'Grace', last_name: 'Hopper', notes: 'zebra' },
      { first_name: 'X', nickname: 'Enchantress' },
      { first_name: 'Y', email: 'Mail@Example.org' },
      { first_name: 'Z', company: 'Größe AG' },
      { first_name: 'V', job_title: 'Programmer' },
      { first_name: '100%_\\' },
      { first_name: 'W', mobile: '+44 7700', phone: '030 12' },
    ])
    const found = (q: string) => ids(ada, `?q=${encodeURIComponent(q)}`)
    expect(await found('ce hop')).toEqual([full as number])
    expect(await found('CHANT')).toEqual([nick as number])
    expect(await found('mail@example')).toEqual([mail as number])
    expect(await found('GRÖSSE')).toEqual([])
    expect(await found('größe')).toEqual([company as number])
    expect(await found('GRÖßE')).toEqual([company as number])
    expect(await found('grammer')).toEqual([job as number])
    for (const literal of ['%', '_', '\\', '100%']) expect(await found(literal)).toEqual([odd as number])
    for (const number of ['7700', '030']) expect(await found(number)).toEqual([cell as number])
    for (const none of ['zebra', '%_%', 'hopper grace', 'X Ench']) expect(await found(none)).toEqual([])
  })

  test('category is exact, is_favourite either way, and all of them hold together over pages', async () => {
    const ada = await h.signedIn()
    const [a, b, c, d] = await addAll(ada, [
      { nickname: 'a1', category: 'Friends', is_favourite: true },
      { nickname: 'a2', category: 'Friends' },
      { nickname: 'a3', category: 'friends', is_favourite: true },
      { nickname: 'b4', category: 'Friends', is_favourite: true },
    ])
    expect(await ids(ada, '?category=Friends')).toEqual([a, b, d] as number[])
    expect(await ids(ada, '?is_favourite=true')).toEqual([a, c, d] as number[])
    expect(await ids(ada, '?is_favourite=false')).toEqual([b] as number[])
    expect(await paged(ada, 'category=Friends&is_favourite=true', 1)).toEqual([a, d] as number[])
    expect(await ids(ada, '?category=Friends&is_favourite=true&q=a')).toEqual([a] as number[])
  })
})
