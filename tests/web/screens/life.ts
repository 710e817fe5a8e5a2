import { fillWeek } from '../../support/filled-week'
import { organiser } from '../../support/events'
import type { Actor, Harness } from '../../support/harness'
import { friends } from '../../support/inviting'
import { createToken } from '../../support/tokens'
import { withTotp } from '../../support/totp'
import { fillTodos } from '../../support/filled-todos'
import { fillProjects } from './life.projects'
import { fillSharing } from './life.sharing'
import { fillPeople } from './life.people'
import { fillReminders } from './life.reminders'
import { leaveTraces } from './life.settings'
import type { Viewer } from './screens'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'

export type Life = Awaited<ReturnType<typeof beginLife>>

/** The people who look at the screens, and what they have. */
export async function beginLife(h: Harness) {
  const { ada: filled, bob } = await friends(h)
  const ids = await fillWeek(filled)
  const { names: projectNames, ...projects } = await fillProjects(filled)
  const contacts = await fillPeople(filled)
  const { reminder, names: reminderNames } = await fillReminders(filled)
  const at = (day: string, from: string, to: string) => ({
    start_at: `${day}T${from}`,
    end_at: `${day}T${to}`,
  })
  const band = { title: 'Band', recurrence_rule: 'FREQ=WEEKLY;BYDAY=TH;COUNT=8' }
  const series = await filled.create({ ...band, ...at('2026-03-05', '18:00', '18:30') })
  const shared = await filled.create({ title: 'Picnic', ...at('2026-03-14', '12:00', '15:00') })
  await filled.invite(shared.id, bob)
  const contested = await filled.create({ title: 'Contested', ...at('2026-03-15', '12:00', '13:00') })
  const theirs = await bob.create({ title: 'Concert', ...at('2026-03-13', '20:00', '22:00') })
  await bob.invite(theirs.id, filled)
  const sharing = await fillSharing(h, filled, bob)
  await createToken(filled, ['dav', 'calendars:write', 'tasks:write', 'people:read'], { name: 'Fairphone' })
  await createToken(filled, ['calendars:read', 'overview:read'], { name: 'Nightly', expires_in_days: null })
  await h.session(filled.row.id, { userAgent: FIREFOX, ipAddress: '192.0.2.1', authMethod: 'totp' })
  await h.session(filled.row.id, { userAgent: 'curl/8.5.0', authMethod: 'passkey', isLocked: true })
  const traces = await leaveTraces(filled)
  const empty = await organiser(h, 'Europe/Berlin')
  const forced = await h.signedIn({ mustChangePassword: true })
  const factor = await h.signedIn({ username: 'factor' })
  const locked = await h.signedIn()
  await withTotp(h, factor)
  await locked.request('POST', '/api/auth/lock')
  const admin = await h.signedIn({ role: 'admin', username: 'keeper' })
  const needing = await h.user({ username: 'needing', mfaRequired: true })
  const viewers: Readonly<Record<Viewer, Actor | undefined>> = {
    visitor: undefined,
    filled,
    empty,
    forced,
    locked,
    admin,
  }
  const { lists, todo } = await fillTodos(filled)
  let contests = 0
  return {
    viewers,
    /** Nobody translates what people call their things. */
    names: [
      ...ids.keys(),
      ...projectNames,
      ...contacts.names,
      ...reminderNames,
      'Birthdays',
      // The service calls them so, in the calendar that it keeps itself.
      "Ada Lovelace's birthday (41)",
      "Alan Turing's birthday",
      'Grandma visits',
      'Pay rent',
      'Band',
      'Picnic',
      'Contested',
      'Theirs',
      'Concert',
      ...lists,
      ...sharing.names,
      'Fairphone',
      'Nightly',
      'Laptop',
      ...traces,
    ],
    people: [filled, bob, empty, forced, locked, admin, factor, { row: needing }, ...sharing.people].flatMap(
      ({ row }) => [row.username, row.networkName],
    ),
    withFactor: 'factor',
    needingFactor: needing.username,
    user: bob.row.id,
    todo,
    ...projects,
    contacts,
    reminder,
    calendar: ids.get('Work'),
    event: ids.get('Workshop'),
    series: series.id,
    shared: shared.id,
    contested: contested.id,
    invitation: theirs.id,
    sharing,
    /** Somebody else gives the contested event another title. */
    contest: async () => {
      contests += 1
      await filled.request('PUT', `/api/events/${contested.id}`, { body: { title: `Theirs ${contests}` } })
    },
  }
}
