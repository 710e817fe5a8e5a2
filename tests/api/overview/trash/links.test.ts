import { expect, test } from 'bun:test'
import { calendar, sceneOf, series } from '../../../support/doing.scene'
import { did, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

interface Invitation {
  readonly id: number
  readonly display_calendar_id: number | null
  readonly response: string
}

test('a restored calendar is again that of templates and invitations, unless they have another meanwhile', async () => {
  const all = await sceneOf(h)
  const { guest } = all
  for (const _ of [1, 2, 3]) await series(all)
  const shown = await calendar({ ...all, me: guest })
  const other = await calendar({ ...all, me: guest }, 'Other')
  const invited = async (): Promise<Invitation[]> =>
    (await guest.invitations()).body.invitations.toSorted(
      (one: Invitation, two: Invitation) => one.id - two.id,
    )
  const [first = 0, second = 0, third = 0] = (await invited()).map(({ id }) => id)
  for (const id of [first, second, third]) await guest.display(id, shown)
  const templates = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const template = { name, title: name, calendar_id: shown }
      return (await did(guest, 'POST /api/event-templates', template)).body.id as number
    }),
  )
  await did(guest, `DELETE /api/calendars/${shown}`)
  await guest.respond(first, 'Declined')
  await guest.display(second, other)
  await did(guest, `PUT /api/event-templates/${templates[0]}`, { calendar_id: other })
  const [item] = (await guest.request('GET', '/api/trash')).body.items
  const restored = await did(guest, `POST /api/trash/${item.id}/restore`)
  const links = async () => ({
    invitations: (await invited()).map((one) => [one.id, one.display_calendar_id, one.response]),
    templates: (await guest.request('GET', '/api/event-templates')).body.event_templates.map(
      ({ calendar_id }: { calendar_id: number }) => calendar_id,
    ),
  })
  expect((await links()).invitations).toEqual([
    [first, shown, 'Declined'],
    [second, other, 'Going'],
    [third, shown, 'Going'],
  ])
  expect((await links()).templates).toEqual([other, shown])
  await undone(guest, restored.operation)
  expect((await links()).templates).toEqual([other, null])
  expect((await links()).invitations.map(([, place]) => place)).toEqual([null, other, null])
})
