import { everybody, seen, asked, calendar, invite, membership, always, GONE, type Row } from './permissions'

export const CALENDAR_ROWS: readonly Row[] = [
  {
    operation: 'listCalendars',
    shows: (body, scene) => (body['calendars'] ?? []).some(({ id }) => id === scene.calendar),
    outcomes: seen('shown', 'shown', 'shown', 'hidden'),
  },
  { operation: 'createCalendar', body: always({ name: 'New' }), outcomes: everybody(201) },
  { operation: 'getCalendar', params: calendar, outcomes: seen(200, 200, 200, GONE) },
  ...(
    [
      ['own view', { color: '#123456', is_visible: false }, 200],
      ['name', { name: 'Mine' }, 403],
      ['name as it is', { name: 'Shared' }, 403],
      ['default', { is_default: true }, 403],
      ['no default', { is_default: false }, 403],
      ['own view and name', { color: '#123456', name: 'Mine' }, 403],
    ] as const
  ).map(([what, body, outcome]): Row => ({
    operation: 'changeCalendar',
    what,
    params: calendar,
    body: always(body),
    outcomes: seen(200, outcome, outcome, GONE),
  })),
  { operation: 'deleteCalendar', params: calendar, outcomes: seen(204, 403, 403, GONE) },

  {
    operation: 'importCalendar',
    params: calendar,
    contentType: 'text/calendar',
    body: always(
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260310\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ),
    outcomes: seen(200, 200, 403, GONE),
  },
  { operation: 'listCalendarEvents', params: calendar, outcomes: seen(200, 200, 200, GONE) },
  { operation: 'exportCalendar', params: calendar, outcomes: seen(200, 200, 200, GONE) },
  { operation: 'createCalendarFeed', params: calendar, outcomes: seen(200, 403, 403, GONE) },
  { operation: 'deleteCalendarFeed', params: calendar, outcomes: seen(204, 403, 403, GONE) },

  { operation: 'listCalendarMembers', params: calendar, outcomes: seen(200, 200, 200, GONE) },
  {
    operation: 'listCalendarMembers',
    what: 'who has not answered',
    params: calendar,
    shows: (body) => (body['members'] ?? []).some(({ status }) => status === 'pending'),
    outcomes: seen('shown', 'hidden', 'hidden', GONE),
  },
  {
    operation: 'shareCalendar',
    params: calendar,
    body: ({ guest }) => ({ user_id: guest, permission: 'read' }),
    outcomes: seen(201, 403, 403, GONE),
  },
  ...(['writer', 'reader'] as const).map((member): Row => ({
    operation: 'changeCalendarMember',
    what: `the ${member}`,
    member,
    params: membership,
    body: always({ permission: 'write' }),
    outcomes: seen(200, 403, 403, GONE),
  })),
  {
    operation: 'changeCalendarMember',
    what: 'who has not answered',
    member: 'asked',
    params: membership,
    body: always({ permission: 'write' }),
    outcomes: seen(200, '404 Member', '404 Member', GONE),
  },
  {
    operation: 'removeCalendarMember',
    what: 'the writer',
    member: 'writer',
    params: membership,
    outcomes: seen(204, 204, 403, GONE),
  },
  {
    operation: 'removeCalendarMember',
    what: 'the reader',
    member: 'reader',
    params: membership,
    outcomes: seen(204, 403, 204, GONE),
  },
  {
    operation: 'removeCalendarMember',
    what: 'who has not answered',
    member: 'asked',
    params: membership,
    outcomes: seen(204, '404 Member', '404 Member', GONE),
  },
  {
    operation: 'listCalendarInvites',
    shows: (body, scene) => (body['invites'] ?? []).some(({ id }) => id === scene.invite),
    outcomes: asked('shown', 'hidden'),
  },
  { operation: 'acceptCalendarInvite', params: invite, outcomes: asked(200, '404 Invite') },
  { operation: 'rejectCalendarInvite', params: invite, outcomes: asked(204, '404 Invite') },
]
