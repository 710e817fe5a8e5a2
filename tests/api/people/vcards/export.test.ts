import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../../../src/db/schema'
import { type Actor, startHarness } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const EXPORT = '/api/people/export'
const h = useHarness()

const addMany = async (actor: Actor, count: number) => {
  const now = h.clock.now()
  const rows = Array.from({ length: count }, (_, n) => ({
    userId: actor.row.id,
    firstName: `First${n}`,
    createdAt: now,
    updatedAt: now,
  }))
  await h.db.insert(people).values(rows)
}
const namesIn = (text: string) => [...text.matchAll(/^FN:(.*)\r$/gm)].map(([, name]) => name)

describe('GET /api/people/export', () => {
  test('is a file of own people, with everything that was entered', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await eve.request('POST', '/api/people', { body: { nickname: 'Foreign' } })
    const body = {
      first_name: 'Ada',
      last_name: 'Love;lace',
      nickname: 'A, B',
      email: 'ada@example.org',
      phone: '1',
      mobile: '2',
      address: '1, Square; London',
      company: 'C, Ltd.',
      job_title: 'Poet',
      birthday: '--02-29',
      category: 'Friends',
      notes: 'two\nlines',
      is_favourite: true,
    }
    const before = (await ada.request('POST', '/api/people', { body })).body
    const { status, headers, body: text } = await ada.request('GET', EXPORT)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="people.vcf"')
    expect(text.replace(/^UID:urn:uuid:[0-9a-f-]{36}/m, 'UID')).toBe(
      [
        'BEGIN:VCARD',
        'VERSION:4.0',
        'UID',
        'FN:Ada Love;lace',
        'N:Love\\;lace;Ada;;;',
        'NICKNAME:A,B',
        'EMAIL:ada@example.org',
        'TEL;TYPE=cell:2',
        'TEL:1',
        'ADR:;;1\\, Square\\; London;;;;',
        'ORG:C\\, Ltd.',
        'TITLE:Poet',
        'BDAY:--0229',
        'CATEGORIES:Friends',
        'NOTE:two\\nlines',
        'X-ORGANISER-FAVOURITE:TRUE',
        'END:VCARD',
        '',
      ].join('\r\n'),
    )
    const after = (await ada.request('GET', `/api/people/${before.id}`)).body
    expect(after).toEqual(before)
  })

  test('is the same each time, and finds its people again', async () => {
    const ada = await h.signedIn()
    await addMany(ada, 3)
    const first = (await ada.request('GET', EXPORT)).body
    expect((await ada.request('GET', EXPORT)).body).toBe(first)
    const sent = { body: first, headers: { 'content-type': 'text/vcard' } }
    expect((await ada.request('POST', '/api/people/import', sent)).body).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    })
    expect((await ada.request('GET', '/api/people')).body.people).toHaveLength(3)
  })

  test('holds everybody once, over many pages', async () => {
    const ada = await h.signedIn()
    for (const more of [500, 501]) {
      await addMany(ada, more)
      const { body } = await ada.request('GET', EXPORT)
      expect(new Set(body.match(/^UID:.*$/gm)).size).toBe(more === 500 ? 500 : 1001)
    }
  })

  test('The export of nobody is empty', async () => {
    const ada = await h.signedIn()
    expect(await ada.request('GET', EXPORT)).toMatchObject({ status: 200, body: '' })
  })

  test('holds no transaction and no connection while its reader pauses, and goes on after', async () => {
    await using narrow = await startHarness()
    const ada = await narrow.signedIn()
    const now = narrow.clock.now()
    const rows = Array.from({ length: 1200 }, (_, n) => ({
      userId: ada.row.id,
      firstName: `First${n}`,
      notes: 'x'.repeat(2000),
      createdAt: now,
      updatedAt: now,
    }))
    await narrow.db.insert(people).values(rows)
    const request = new Request(`http://localhost${EXPORT}`, { headers: { cookie: `session=${ada.token}` } })
    const response = await narrow.app.fetch(request)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader?.read())?.value ?? ''
    const idle = await narrow.db.$client<[{ count: number }]>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'`
    expect(idle[0].count).toBe(0)
    await narrow.db.update(people).set({ nickname: 'n' }).where(eq(people.userId, ada.row.id))
    for (let more = await reader?.read(); more && !more.done; more = await reader?.read()) text += more.value
    expect(namesIn(text)).toEqual(rows.map(({ firstName }) => firstName))
  })
})
