import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settings } from '../../../../src/db/schema'
import { celebrationsBetween } from '../../../../src/lib/time/birthdays'
import { type Actor } from '../../../support/harness'
import { createPerson } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const UPCOMING = '/api/people/upcoming-birthdays'
const h = useHarness()

const add = async (actor: Actor, nickname: string, birthday: string | null) =>
  (await createPerson(actor, { nickname, birthday })).id
const upcoming = async (actor: Actor, query = '') =>
  (await actor.request('GET', `${UPCOMING}${query}`)).body.birthdays

describe('GET /api/people/upcoming-birthdays', () => {
  test('lists own people from today to 30 days on, both inclusive, by date, then name', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await add(eve, 'foreign', '--03-10')
    await add(ada, 'yesterday', '--03-03')
    const last = await add(ada, 'last', '1990-04-03')
    await add(ada, 'after', '--04-04')
    await add(ada, 'unknown', null)
    const [bob, al] = [await add(ada, 'bob', '--03-10'), await add(ada, 'Al', '2000-03-10')]
    const today = await add(ada, 'today', '2000-03-04')
    expect(await upcoming(ada)).toEqual([
      { person_id: today, name: 'today', date: '2026-03-04', turns: 26 },
      { person_id: al, name: 'Al', date: '2026-03-10', turns: 26 },
      { person_id: bob, name: 'bob', date: '2026-03-10', turns: null },
      { person_id: last, name: 'last', date: '2026-04-03', turns: 36 },
    ])
    expect(await upcoming(ada, '?days=1')).toMatchObject([{ name: 'today' }])
  })

  test('crosses the year, and shows 29 February on the 28th of a common one', async () => {
    const ada = await h.signedIn()
    await add(ada, 'leap', '2004-02-29')
    await add(ada, 'new year', '--01-01')
    await add(ada, 'today', '--03-04')
    expect(await upcoming(ada, '?days=366')).toMatchObject([
      { name: 'today', date: '2026-03-04' },
      { name: 'new year', date: '2027-01-01', turns: null },
      { name: 'leap', date: '2027-02-28', turns: 23 },
      { name: 'today', date: '2027-03-04' },
    ])
    expect(await upcoming(ada, '?days=364')).toHaveLength(3)
  })

  test('begins with the day of the user’s own time zone', async () => {
    const ada = await h.signedIn()
    await add(ada, 'yesterday', '--03-03')
    await add(ada, 'today', '--03-04')
    await h.db.update(settings).set({ timeZone: 'Pacific/Pago_Pago' }).where(eq(settings.userId, ada.row.id))
    expect(await upcoming(ada, '?days=1')).toMatchObject([{ date: '2026-03-03' }, { date: '2026-03-04' }])
  })

  test.each(['0', '367', 'x', '1.5', '-1', ''])('refuses %s days', async (days) => {
    const ada = await h.signedIn()
    expect((await ada.request('GET', `${UPCOMING}?days=${days}`)).status).toBe(422)
  })
})

describe('celebrations', () => {
  test('begin with the birth', () => {
    expect(celebrationsBetween('2024-02-29', '2023-01-01', '2026-12-31')).toEqual([
      { date: '2024-02-29', turns: 0 },
      { date: '2025-02-28', turns: 1 },
      { date: '2026-02-28', turns: 2 },
    ])
  })

  test('without a year come every year', () => {
    expect(celebrationsBetween('--02-29', '2027-02-28', '2028-02-29')).toEqual([
      { date: '2027-02-28', turns: null },
      { date: '2028-02-29', turns: null },
    ])
  })
})
