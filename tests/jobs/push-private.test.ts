import { expect, test } from 'bun:test'
import { sharedWith } from '../support/sharing'
import { usePushing } from '../support/use-pushing'

const { h, soon } = usePushing()

test('members are told of no private event, unless they are invited to it, and its owner is', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  for (const person of [ada, bob]) await h.listen(person)
  const times = { start_at: soon(10), end_at: soon(20), reminder_minutes: 0, calendar_id: calendar.id }
  await ada.create({ ...times, title: 'Secret', visibility: 'private' })
  const shown = await ada.create({ ...times, title: 'Surprise', visibility: 'private' })
  const invited = await ada.invite(shown.id, bob)
  await bob.respond(invited.body.invitations[0].id, 'Going')
  await h.tick()
  h.clock.advance({ minutes: 10 })
  const told = (await h.tick()).map(({ topic, title }) => `${topic} ${title}`)
  expect(told.toSorted()).toEqual(
    [`${ada.row.username} Secret`, `${ada.row.username} Surprise`, `${bob.row.username} Surprise`].toSorted(),
  )
})

test('a member hears nothing of an event that became private after its message was planned', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  await h.listen(bob)
  const { id } = await ada.create({
    start_at: soon(10),
    end_at: soon(20),
    reminder_minutes: 0,
    title: 'Secret',
    calendar_id: calendar.id,
  })
  await h.tick()
  await ada.change(id, { visibility: 'private' })
  h.clock.advance({ minutes: 10 })
  expect(await h.tick()).toEqual([])
})
