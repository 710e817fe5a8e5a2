import { describe, expect, test } from 'bun:test'
import { sharedWith, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const forbidden = { status: 403, body: { detail: 'Insufficient permissions' } }

describe('a shared calendar', () => {
  test('shows to its member what it shows to its owner, except access and default', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    await ada.changeCalendar(calendar.id, { is_default: true })
    const { body } = await bob.calendar(calendar.id)
    expect(body).toMatchObject({
      id: calendar.id,
      user_id: ada.row.id,
      owner_network_name: ada.row.networkName,
      name: 'Choir',
      color: '#3b82f6',
      access: 'read',
      is_default: false,
      is_visible: true,
    })
    expect((await bob.calendars()).body.calendars).toContainEqual(body)
    expect(
      (await bob.calendars()).body.calendars.filter((one: { is_default: boolean }) => one.is_default),
    ).toHaveLength(1)
  })

  test('has a colour and a visibility for each member, and the colour of the owner until they choose', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    await ada.changeCalendar(calendar.id, { color: '#222222', is_visible: false })
    expect((await bob.calendar(calendar.id)).body).toMatchObject({ color: '#222222', is_visible: true })
    h.clock.advance({ minutes: 1 })
    const changed = await bob.changeCalendar(calendar.id, { color: '#333333', is_visible: false })
    expect(changed).toMatchObject({
      status: 200,
      body: { color: '#333333', is_visible: false, access: 'read' },
    })
    expect(changed.body.updated_at > changed.body.created_at).toBe(true)
    await ada.changeCalendar(calendar.id, { color: '#444444', is_visible: true })
    expect((await bob.calendar(calendar.id)).body).toMatchObject({ color: '#333333', is_visible: false })
    expect((await ada.calendar(calendar.id)).body).toMatchObject({ color: '#444444', is_visible: true })
    const [event] = [
      await ada.create({
        calendar_id: calendar.id,
        start_at: '2026-03-10T09:00',
        end_at: '2026-03-10T10:00',
      }),
    ]
    expect((await bob.read(event.id)).body).toMatchObject({
      calendar_color: '#333333',
      calendar_name: 'Choir',
    })
  })

  test('shows in windows unless its member hides it, and then where it is asked for', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    await ada.create({ calendar_id: calendar.id, start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' })
    const count = async (query = {}) => (await bob.list('2026-03-10', '2026-03-11', query)).length
    expect(await count()).toBe(1)
    await ada.changeCalendar(calendar.id, { is_visible: false })
    expect(await count()).toBe(1)
    await bob.changeCalendar(calendar.id, { is_visible: false })
    expect([await count(), await count({ calendar_id: String(calendar.id) })]).toEqual([0, 1])
  })

  test('is refused whole to a member who gives its name or default, or deletes it', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    for (const body of [
      { name: 'Mine' },
      { is_default: true },
      { is_default: false, color: '#000000' },
      { name: 'Choir', is_visible: false },
    ]) {
      expect([body, await bob.changeCalendar(calendar.id, body)]).toMatchObject([body, forbidden])
    }
    expect(await bob.deleteCalendar(calendar.id)).toMatchObject(forbidden)
    expect((await bob.calendar(calendar.id)).body).toMatchObject({ color: '#3b82f6', is_visible: true })
    expect((await ada.calendar(calendar.id)).body).toEqual(calendar)
  })

  test('may have the name of an own calendar', async () => {
    const { bob, calendar } = await sharedWith(h, 'read')
    const { id } = await bob.createCalendar('Choir')
    const { calendars } = (await bob.calendars()).body
    const alike = calendars.filter(({ name }: { name: string }) => name === 'Choir')
    expect(alike.map((one: { id: number }) => one.id)).toEqual([calendar.id, id])
  })
})

describe('the list of calendars', () => {
  test('comes in pages of own and shared calendars by name, which survive changes between them', async () => {
    const { bob } = await sharedWith(h, 'read')
    for (const name of ['choir', 'Äpfel', 'Zoo', 'apple']) await bob.createCalendar(name)
    const whole = (await bob.calendars()).body.calendars.map(({ name }: { name: string }) => name)
    expect(whole).toEqual(['Äpfel', 'apple', 'Birthdays', 'Choir', 'choir', 'Personal', 'Zoo'])
    const names: string[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page++) {
      const { body } = await bob.calendars(`?limit=2${cursor && `&cursor=${cursor}`}`)
      names.push(...body.calendars.map(({ name }: { name: string }) => name))
      if (page === 0) await bob.createCalendar('Aaa')
      cursor = body.next_cursor
    }
    expect(names).toEqual(whole)
  })

  test.each(['limit=0', 'limit=201', 'cursor=x', 'cursor=WzFd'])('refuses ?%s', async (query) => {
    expect((await (await sharer(h)).calendars(`?${query}`)).status).toBe(422)
  })
})
