import { describe, expect, test } from 'bun:test'
import { connect, notificationsOf } from '../../../support/connecting'
import { at } from '../../../support/events'
import { invitedTo, person } from '../../../support/inviting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const DAILY = { ...SINGLE, recurrence_rule: 'FREQ=DAILY;COUNT=4' }
const WINDOW = ['2026-03-01', '2026-04-01'] as const
const NOT_FOUND = { detail: 'Invitation not found' }
const NO_OCCURRENCE = { detail: 'Occurrence not found' }

type Invited = Awaited<ReturnType<typeof invitedTo>>
/** What holds for each occurrence, as the invitee sees it. */
const answers = async ({ bob, event }: Invited) =>
  (await bob.occurrences(event.id, ...WINDOW, { include_declined: 'true' })).body.occurrences.map(
    (one: { my_invitation: { response: string } }) => one.my_invitation.response,
  )

describe('an invitee', () => {
  test.each([
    ['Going', 'Going', 'is going to'],
    ['tentative', 'Tentative', 'may come to'],
    ['DECLINED', 'Declined', 'declined'],
  ])('answers “%s”, and the organiser is told', async (given, response, verb) => {
    const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
    const answered = await bob.respond(invitation.id, given)
    expect([answered.status, answered.body]).toEqual([200, { ...invitation, response }])
    expect((await bob.read(event.id)).body.my_invitation.response).toBe(response)
    expect((await ada.invitationsTo(event.id)).body.invitations).toEqual([{ ...invitation, response }])
    const told = (await notificationsOf(ada)).filter(({ type }) => type === 'event_response')
    expect(told).toMatchObject([
      {
        title: 'Invitation answered',
        message: `${bob.row.networkName} ${verb} “Choir”.`,
        data: { event_id: event.id, invitation_id: invitation.id },
      },
    ])
    expect((await bob.heard()).length).toBe(1)
    expect((await ada.read(event.id)).body).toEqual(event)
  })

  test('may answer otherwise: the organiser is told of each answer once, and of a repeated one nothing', async () => {
    const { ada, bob, invitation } = await invitedTo(h, SINGLE)
    for (const response of ['Going', 'going', 'Declined', 'Declined', 'Going']) {
      expect((await bob.respond(invitation.id, response)).status).toBe(200)
      await ada.catchUp()
    }
    const name = bob.row.networkName
    expect(await ada.heard()).toEqual([
      `event_response: ${name} is going to “Choir”.`,
      `event_response: ${name} declined “Choir”.`,
      `event_response: ${name} is going to “Choir”.`,
    ])
  })

  test('sees an event that they declined only where declined ones are asked for', async () => {
    const { bob, invitation } = await invitedTo(h, SINGLE)
    expect((await bob.list(...WINDOW)).length).toBe(1)
    await bob.respond(invitation.id, 'Declined')
    expect(await bob.list(...WINDOW)).toEqual([])
    expect(await bob.list(...WINDOW, { include_declined: 'true' })).toMatchObject([
      { my_invitation: { response: 'Declined' } },
    ])
    await bob.respond(invitation.id, 'Tentative')
    expect((await bob.list(...WINDOW)).length).toBe(1)
  })

  test.each([null, '', 'Maybe', 'Going ', 1, true, undefined, { Going: true }])(
    'cannot answer %j',
    async (response) => {
      const { ada, bob, invitation } = await invitedTo(h, SINGLE)
      const refused = await bob.respond(invitation.id, response)
      expect(refused.status).toBe(422)
      if (response !== undefined) {
        expect(refused.body.detail).toBe('response: must be one of Going, Tentative, Declined')
      }
      expect((await bob.invitations()).body.invitations).toEqual([invitation])
      expect(await ada.heard()).toEqual([])
    },
  )
})

describe('one occurrence of a series', () => {
  test('is answered alone, and its organiser hears which', async () => {
    const invited = await invitedTo(h, DAILY)
    const { ada, bob, invitation } = invited
    const answered = await bob.respond(invitation.id, 'declined', '2026-03-11T09:00')
    expect([answered.status, answered.body]).toEqual([200, invitation])
    expect(await answers(invited)).toEqual([null, 'Declined', null, null])
    expect(await bob.starts(...WINDOW)).toEqual([
      '2026-03-10T09:00:00+01:00',
      '2026-03-12T09:00:00+01:00',
      '2026-03-13T09:00:00+01:00',
    ])
    expect(await ada.heard()).toEqual([
      `event_response: ${bob.row.networkName} declined “Choir” on 2026-03-11.`,
    ])
    expect((await bob.read(invited.event.id)).body.my_invitation.response).toBeNull()
  })

  test('keeps its answer whatever is answered to the rest', async () => {
    const invited = await invitedTo(h, DAILY)
    const { ada, bob, invitation } = invited
    await bob.respond(invitation.id, 'Going', '2026-03-12T08:00:00Z')
    await ada.catchUp()
    await bob.respond(invitation.id, 'Declined')
    await ada.catchUp()
    expect(await answers(invited)).toEqual(['Declined', 'Declined', 'Going', 'Declined'])
    expect((await bob.list(...WINDOW)).map((one) => one.occurrence_start)).toEqual([
      '2026-03-12T09:00:00+01:00',
    ])
    await bob.respond(invitation.id, 'Going', '2026-03-12T09:00')
    expect((await ada.heard()).length).toBe(2)
    await bob.respond(invitation.id, 'Tentative', '2026-03-12T09:00')
    expect((await ada.heard()).length).toBe(3)
    expect(await answers(invited)).toEqual(['Declined', 'Declined', 'Tentative', 'Declined'])
  })

  test('keeps an answer that is also that of the rest, without telling the organiser', async () => {
    const invited = await invitedTo(h, DAILY)
    const { ada, bob, invitation } = invited
    await bob.respond(invitation.id, 'Going')
    await bob.respond(invitation.id, 'Going', '2026-03-11T09:00')
    expect((await ada.heard()).length).toBe(1)
    await bob.respond(invitation.id, 'Declined')
    expect(await answers(invited)).toEqual(['Declined', 'Going', 'Declined', 'Declined'])
  })

  test('shows its organiser the answer that holds for it', async () => {
    const { ada, bob, event, invitation } = await invitedTo(h, DAILY)
    await bob.respond(invitation.id, 'Going')
    await bob.respond(invitation.id, 'Declined', '2026-03-11T09:00')
    const shown = async (start?: string) =>
      (await ada.invitationsTo(event.id, start && `?occurrence_start=${start}`)).body.invitations[0].response
    expect([await shown(), await shown('2026-03-10T09:00'), await shown('2026-03-11T09:00')]).toEqual([
      'Going',
      'Going',
      'Declined',
    ])
    const absent = await ada.invitationsTo(event.id, '?occurrence_start=2026-03-11T10:00')
    expect([absent.status, absent.body]).toEqual([404, NO_OCCURRENCE])
  })

  test('is named by its day in an all-day series', async () => {
    const day = { title: 'Fair', all_day: true, start_date: '2026-03-10', end_date: '2026-03-10' }
    const invited = await invitedTo(h, { ...day, recurrence_rule: 'FREQ=DAILY;COUNT=2' })
    const { ada, bob, invitation } = invited
    expect((await bob.respond(invitation.id, 'Going', '2026-03-11')).status).toBe(200)
    expect(await answers(invited)).toEqual([null, 'Going'])
    expect(await ada.heard()).toEqual([
      `event_response: ${bob.row.networkName} is going to “Fair” on 2026-03-11.`,
    ])
    expect((await bob.respond(invitation.id, 'Going', '2026-03-11T00:00')).body).toEqual(NO_OCCURRENCE)
  })

  test('is still named by its original start after it was moved, and told under its own title', async () => {
    const invited = await invitedTo(h, DAILY)
    const { ada, bob, event, invitation } = invited
    await ada.change(event.id, { title: 'Concert', start_at: '2026-03-11T19:00' }, at('2026-03-11T09:00'))
    await bob.respond(invitation.id, 'Going', '2026-03-11T09:00')
    expect(await answers(invited)).toEqual([null, 'Going', null, null])
    expect(await ada.heard()).toEqual([
      `event_response: ${bob.row.networkName} is going to “Concert” on 2026-03-11.`,
    ])
  })

  test('is not found where the series has none, or it was deleted', async () => {
    const { ada, bob, event, invitation } = await invitedTo(h, DAILY)
    await ada.remove(event.id, at('2026-03-12T09:00'))
    for (const start of ['2026-03-11T09:30', '2026-03-14T09:00', '2026-03-12T09:00', '2026-03-11']) {
      const refused = await bob.respond(invitation.id, 'Going', start)
      expect([start, refused.status, refused.body]).toEqual([start, 404, NO_OCCURRENCE])
    }
    for (const start of ['tomorrow', 5, '']) {
      expect((await bob.respond(invitation.id, 'Going', start)).status).toBe(422)
    }
    expect(await ada.heard()).toEqual([])
    const single = await invitedTo(h, SINGLE)
    const refused = await single.bob.respond(single.invitation.id, 'Going', SINGLE.start_at)
    expect([refused.status, refused.body]).toEqual([404, NO_OCCURRENCE])
    expect((await single.bob.respond(single.invitation.id, 'Going', null)).status).toBe(200)
  })
})

test('nobody but the invitee can answer: others get the same as for an invitation that does not exist', async () => {
  const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
  const [cyd, stranger] = [await person(h), await person(h)]
  await connect(ada, cyd)
  await ada.invite(event.id, cyd)
  for (const actor of [ada, cyd, stranger]) {
    for (const id of [invitation.id, 2_147_483_647]) {
      const refused = await actor.respond(id, 'Going')
      expect([refused.status, refused.body]).toEqual([404, NOT_FOUND])
    }
  }
  expect(
    (await bob.request('PUT', '/api/event-invitations/x', { body: { response: 'Going' } })).body,
  ).toEqual(NOT_FOUND)
  expect((await bob.invitations()).body.invitations).toEqual([invitation])
  expect(await ada.heard()).toEqual([])
})

test('both halves of a divided series have an invitation that can be answered', async () => {
  const { ada, bob, event, invitation } = await invitedTo(h, DAILY)
  await bob.respond(invitation.id, 'Going')
  await bob.respond(invitation.id, 'Declined', '2026-03-13T09:00')
  const rest = (await ada.change(event.id, { title: 'Rest' }, at('2026-03-12T09:00', 'following'))).body
  const own = (await bob.invitations()).body.invitations as Array<{ id: number; event_id: number }>
  expect(own).toMatchObject([
    { event_id: rest.id, event_title: 'Rest', response: 'Going' },
    { event_id: event.id, event_title: 'Choir', response: 'Going' },
  ])
  const second = own[0]?.id ?? 0
  expect(second).not.toBe(invitation.id)
  const shown = async (id: number) => answers({ bob, event: { id } } as Invited)
  expect([await shown(event.id), await shown(rest.id)]).toEqual([
    ['Going', 'Going'],
    ['Going', 'Declined'],
  ])
  expect((await bob.respond(second, 'Tentative', '2026-03-12T09:00')).status).toBe(200)
  expect((await bob.respond(second, 'Going', '2026-03-13T09:00')).status).toBe(200)
  expect((await bob.respond(invitation.id, 'Declined')).status).toBe(200)
  expect((await bob.respond(invitation.id, 'Going', '2026-03-12T09:00')).body).toEqual(NO_OCCURRENCE)
  expect([await shown(event.id), await shown(rest.id)]).toEqual([
    ['Declined', 'Declined'],
    ['Tentative', 'Going'],
  ])
  expect((await ada.invitationsTo(rest.id)).body.invitations).toMatchObject([
    { id: second, response: 'Going' },
  ])
  expect(await ada.heard()).toContain(`event_response: ${bob.row.networkName} declined “Choir”.`)
})
