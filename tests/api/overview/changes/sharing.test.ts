import { describe, expect, test } from 'bun:test'
import { brief, changesOf, Follower, knownTo, truthOf } from '../../../support/changes'
import { connectionsOf } from '../../../support/connecting'
import { make } from '../../../support/records'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const HOUR = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

/** Bob follows, and is a member of a calendar of Ada's with two events, to one of which he is invited. */
async function followed() {
  const { ada, bob, calendar, member } = await sharedWith(h, 'write')
  const [event, guested] = [
    await ada.create({ ...HOUR, calendar_id: calendar.id }),
    await ada.create({ ...HOUR, calendar_id: calendar.id }),
  ]
  await ada.invite(guested.id, bob)
  const follower = new Follower(bob)
  await follower.catchUp()
  return { ada, bob, calendar, member, event, guested, follower }
}

type Scene = Awaited<ReturnType<typeof followed>>

const ENDS: Readonly<Record<string, (scene: Scene) => Promise<{ readonly status: number }>>> = {
  'its owner dismisses them': ({ ada, calendar, member }) => ada.dismiss(calendar.id, member.id),
  'they leave it': ({ bob, calendar, member }) => bob.dismiss(calendar.id, member.id),
}

describe('a member of a calendar', () => {
  test('reads it from its beginning once they have accepted it', async () => {
    const { ada, bob } = await sharedWith(h, 'read')
    const other = await ada.createCalendar('Other')
    const event = await ada.create({ ...HOUR, calendar_id: other.id })
    const gone = await ada.create({ ...HOUR, calendar_id: other.id })
    await ada.remove(gone.id)
    const follower = new Follower(bob)
    await follower.catchUp()
    await ada.share(other.id, bob)
    await follower.catchUp()
    expect(follower.items.has(`event ${event.id}`)).toBe(false)
    await bob.acceptAll()
    const told = (await follower.catchUp()).filter(({ type }) => type === 'calendar' || type === 'event')
    expect(told.map(brief)).toEqual([`+ calendar ${other.id}`, `+ event ${event.id}`])
    expect(told[1]?.parent_id).toBe(other.id)
  })

  test.each(Object.keys(ENDS))(
    'is told one deletion when %s, and keeps the events to which they are invited',
    async (how) => {
      const scene = await followed()
      const { bob, calendar, guested, follower } = scene
      expect((await ENDS[how]?.(scene))?.status).toBe(204)
      const [first, ...others] = await follower.catchUp()
      expect(first).toMatchObject({ type: 'calendar', id: calendar.id, op: 'delete', item: null })
      const told = others.filter(({ type }) => type === 'calendar' || type === 'event')
      expect(told).toEqual([expect.objectContaining({ id: guested.id, op: 'put', parent_id: null })])
      expect(knownTo(follower)).toEqual(await truthOf(bob))
    },
  )

  test('is told one deletion when the calendar is deleted, and loses the events to which they were invited', async () => {
    const { ada, bob, calendar, guested, follower } = await followed()
    await ada.deleteCalendar(calendar.id)
    const told = (await follower.catchUp()).filter(({ type }) => type === 'calendar' || type === 'event')
    expect(told.map(brief)).toEqual([`- calendar ${calendar.id}`, `- event ${guested.id}`])
    expect(knownTo(follower)).toEqual(await truthOf(bob))
  })

  test('is told that all is gone when they are no longer connected with its owner', async () => {
    const { ada, bob, calendar, guested, follower } = await followed()
    const [connection] = await connectionsOf(ada)
    await ada.disconnect(connection?.id)
    const told = (await follower.catchUp()).map(brief)
    expect(told[0]).toBe(`- calendar ${calendar.id}`)
    expect(told).toContain(`- event ${guested.id}`)
    expect(knownTo(follower)).toEqual(await truthOf(bob))
  })

  test('hears nothing that was written after they were dismissed', async () => {
    const { ada, bob, calendar, member, event, follower } = await followed()
    await ada.dismiss(calendar.id, member.id)
    await ada.change(event.id, { title: 'Secret' })
    await ada.create({ ...HOUR, title: 'Secret', calendar_id: calendar.id })
    expect(JSON.stringify(await follower.catchUp())).not.toContain('Secret')
    expect(JSON.stringify((await changesOf(bob)).changes)).not.toContain('Secret')
  })

  test('is told the deletion also when they follow events alone, and nothing when they follow todos', async () => {
    const { ada, bob, calendar, member, event } = await followed()
    const [events, todos] = [new Follower(bob, 'event'), new Follower(bob, 'todo')]
    await events.catchUp()
    await todos.catchUp()
    expect(events.items.has(`event ${event.id}`)).toBe(true)
    await ada.dismiss(calendar.id, member.id)
    expect((await events.catchUp()).map(brief)[0]).toBe(`- calendar ${calendar.id}`)
    expect(events.items.has(`event ${event.id}`)).toBe(false)
    expect(await todos.catchUp()).toEqual([])
  })

  test('gets the calendar again from its beginning when it was taken and given between two pages', async () => {
    const { ada, bob, calendar, member, follower } = await followed()
    await ada.dismiss(calendar.id, member.id)
    await follower.catchUp()
    const event = await ada.create({ ...HOUR, calendar_id: calendar.id })
    await ada.share(calendar.id, bob)
    await bob.acceptAll()
    await follower.catchUp(1)
    expect(follower.items.has(`event ${event.id}`)).toBe(true)
    expect(knownTo(follower)).toEqual(await truthOf(bob))
  })

  test('is told of more lost calendars than a page holds on several pages', async () => {
    const { bob, follower } = await followed()
    const ids: number[] = []
    for (const name of ['One', 'Two', 'Three']) {
      const { id } = await bob.createCalendar(name)
      ids.push(id)
    }
    await follower.catchUp()
    for (const id of ids) await bob.deleteCalendar(id)
    const page = await follower.poll(2)
    expect(page.changes.map(brief)).toEqual(ids.slice(0, 2).map((id) => `- calendar ${id}`))
    expect(page.has_more).toBe(true)
    await follower.catchUp(2)
    expect(knownTo(follower)).toEqual(await truthOf(bob))
  })
})

describe('an invitation', () => {
  test('shows the owner all guests, a guest and a member only themselves', async () => {
    const { ada, bob, event, guested } = await followed()
    const namesOf = async (actor: typeof ada, id: number) => {
      const { changes } = await changesOf(actor, { types: 'event' })
      const found = changes.find((change) => change.id === id)
      return found?.type === 'event' ? found.item?.invitations.map(({ user_id }) => user_id) : undefined
    }
    expect(await namesOf(ada, guested.id)).toEqual([bob.row.id])
    expect(await namesOf(bob, guested.id)).toEqual([bob.row.id])
    expect(await namesOf(bob, event.id)).toEqual([])
  })
})

describe('whoever gets another name', () => {
  test('is told of the comments and the invitations of theirs that show it, and so are those who see them', async () => {
    const { ada, bob, guested } = await followed()
    const project = await make(bob, '/api/projects', { name: 'House' })
    const task = await make(bob, `/api/projects/${project.id}/tasks`, { title: 'Roof' })
    const comment = await make(bob, `/api/projects/${project.id}/tasks/${task.id}/comments`, { body: 'Done' })
    const [own, theirs] = [new Follower(bob), new Follower(ada)]
    await own.catchUp()
    await theirs.catchUp()
    await bob.request('PUT', '/api/settings', { body: { network_name: `${bob.row.networkName}-new` } })
    const told = (await own.catchUp()).map(brief)
    expect(told).toContain(`+ comment ${comment.id}`)
    expect(told).toContain(`+ event ${guested.id}`)
    expect((await theirs.catchUp()).map(brief)).toContain(`+ event ${guested.id}`)
    expect(knownTo(own)).toEqual(await truthOf(bob))
    expect(knownTo(theirs)).toEqual(await truthOf(ada))
  })
})
