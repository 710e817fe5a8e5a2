import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars } from '../../../../src/db/schema'
import { birthdaysOf, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

type Organiser = Awaited<ReturnType<typeof organiser>>
const addPerson = async (ada: Organiser, fields: Record<string, string>) => {
  const added = await ada.request('POST', '/api/people', { body: fields })
  if (added.status !== 201) throw new Error(JSON.stringify(added.body))
  return added.body
}
const titles = async (ada: Organiser, from: string, to: string, query = {}) =>
  (await ada.list(from, to, query)).map(({ title, start_date }) => [start_date, title])

describe('a birthday', () => {
  test('is a virtual event of the Birthdays calendar with the age', async () => {
    const ada = await organiser(h)
    const calendar = await birthdaysOf(h, ada.row.id)
    const person = await addPerson(ada, { first_name: 'Grace', last_name: 'Hopper', birthday: '1906-12-09' })
    expect(await ada.list('2026-12-09', '2026-12-10')).toEqual([
      {
        id: null,
        calendar_id: calendar.id,
        calendar_name: 'Birthdays',
        calendar_color: '#f59e0b',
        title: "Grace Hopper's birthday (120)",
        description: null,
        location: null,
        all_day: true,
        start_at: null,
        end_at: null,
        time_zone: null,
        start_date: '2026-12-09',
        end_date: '2026-12-09',
        recurrence_rule: null,
        recurrence_unsupported: false,
        reminder_minutes: null,
        visibility: 'public',
        access: 'read',
        my_invitation: null,
        is_virtual: true,
        occurrence_start: null,
        is_override: false,
        version: 1,
        created_at: person.created_at,
        updated_at: person.updated_at,
      },
    ])
    expect(await ada.list('2026-12-10', '2027-12-09')).toEqual([])
  })

  test('has no age where the year is unknown, and goes by the nickname where there is no other name', async () => {
    const ada = await organiser(h)
    await addPerson(ada, { nickname: 'Ace', birthday: '--03-10' })
    expect(await titles(ada, '1950-01-01', '1951-01-01')).toEqual([['1950-03-10', "Ace's birthday"]])
  })

  test('on 29 February shows on the 28th in common years', async () => {
    const ada = await organiser(h)
    await addPerson(ada, { first_name: 'Leap', birthday: '2004-02-29' })
    expect(await titles(ada, '2027-02-01', '2028-03-02')).toEqual([
      ['2027-02-28', "Leap's birthday (23)"],
      ['2028-02-29', "Leap's birthday (24)"],
    ])
  })

  test('does not show before the year of birth', async () => {
    const ada = await organiser(h)
    await addPerson(ada, { first_name: 'Kid', birthday: '2020-06-01' })
    expect(await titles(ada, '2019-05-01', '2020-06-02')).toEqual([['2020-06-01', "Kid's birthday (0)"]])
  })

  test('shows only while the Birthdays calendar is visible, or where it is named', async () => {
    const ada = await organiser(h)
    const { id } = await birthdaysOf(h, ada.row.id)
    await addPerson(ada, { first_name: 'Kid', birthday: '2020-06-01' })
    const event = await ada.create({ all_day: true, start_date: '2026-06-01', end_date: '2026-06-01' })
    const window = ['2026-06-01', '2026-06-02'] as const
    expect((await ada.list(...window)).length).toBe(2)
    expect((await ada.list(...window, { calendar_id: String(event.calendar_id) })).length).toBe(1)
    await h.db.update(calendars).set({ isVisible: false }).where(eq(calendars.id, id))
    expect(await ada.list(...window)).toEqual([event])
    expect(await titles(ada, ...window, { calendar_id: String(id) })).toEqual([
      ['2026-06-01', "Kid's birthday (6)"],
    ])
  })

  test('is found by what it says, and seen by nobody else', async () => {
    const [ada, eve] = [await organiser(h), await organiser(h)]
    await addPerson(ada, { first_name: 'Kid', birthday: '2020-06-01' })
    const window = ['2026-06-01', '2026-06-02'] as const
    expect((await ada.list(...window, { q: 'KID’s'.replace('’', "'") })).length).toBe(1)
    expect(await ada.list(...window, { q: 'somebody' })).toEqual([])
    expect(await eve.list(...window)).toEqual([])
  })
})
