import type { Step } from './steps'

/** Calendars, and events in them: single, all-day and recurring ones, and what becomes of single occurrences. */
export const calendars: readonly Step[] = [
  { as: 'ada', send: 'GET /api/calendars', answers: 200, keep: 'own' },
  {
    as: 'ada',
    send: 'POST /api/calendars',
    body: { name: 'Choir', color: '#a0b1c2' },
    answers: 201,
    keep: 'choir',
  },
  { as: 'ada', send: 'POST /api/calendars', body: { name: 'Choir' }, answers: 409 },
  { as: 'ada', send: 'PUT /api/calendars/{choir.id}', body: { name: 'Chœur' }, answers: 200 },
  { as: 'ada', send: 'GET /api/calendars/{choir.id}', answers: 200 },
  { as: 'bob', send: 'GET /api/calendars/{choir.id}', answers: 404 },
  { as: 'ada', send: 'POST /api/calendars', body: { name: 'To be deleted' }, answers: 201, keep: 'spare' },
  { as: 'ada', send: 'DELETE /api/calendars/{spare.id}', answers: 204 },
]

const MARCH = 'from=2026-03-01T00:00:00Z&to=2026-04-05T00:00:00Z'

export const events: readonly Step[] = [
  {
    as: 'ada',
    send: 'POST /api/events',
    body: {
      title: 'Rehearsal',
      description: 'First line\nsecond',
      location: 'Town hall',
      calendar_id: '{choir.id}',
      start_at: '2026-03-05T02:30:00',
      end_at: '2026-03-05T04:00:00',
      time_zone: 'America/New_York',
      recurrence_rule: 'FREQ=DAILY;COUNT=20',
      reminder_minutes: 30,
    },
    answers: 201,
    keep: 'rehearsal',
  },
  {
    as: 'ada',
    send: 'POST /api/events',
    body: {
      title: 'Holidays',
      all_day: true,
      start_date: '2026-03-20',
      end_date: '2026-03-22',
      recurrence_rule: 'FREQ=MONTHLY;BYDAY=-1FR,3FR;UNTIL=20260601',
    },
    answers: 201,
    keep: 'holidays',
  },
  {
    as: 'ada',
    send: 'POST /api/events',
    body: { title: 'Concert', start_at: '2026-03-29T18:00:00+02:00', end_at: '2026-03-29T20:00:00+02:00' },
    answers: 201,
    keep: 'concert',
  },
  { as: 'ada', send: 'POST /api/events', body: { title: ' ', start_at: 'yesterday' }, answers: 422 },
  {
    as: 'ada',
    send: 'POST /api/events/preview-recurrence',
    body: {
      start: '2026-03-27T01:30:00',
      time_zone: 'Europe/Berlin',
      recurrence_rule: 'FREQ=YEARLY;BYMONTH=1,3;BYDAY=FR;BYSETPOS=1,-1',
      count: 12,
    },
    answers: 200,
  },
  {
    as: 'ada',
    send: 'POST /api/events/preview-recurrence',
    body: { start: '2026-03-27', recurrence_rule: 'FREQ=HOURLY' },
    answers: 422,
  },
  { as: 'ada', send: `GET /api/events?${MARCH}`, answers: 200 },
  { as: 'ada', send: `GET /api/events?${MARCH}&q=hall`, answers: 200 },
  { as: 'ada', send: `GET /api/events/{rehearsal.id}/occurrences?${MARCH}`, answers: 200, keep: 'march' },
  {
    as: 'ada',
    send: 'PUT /api/events/{rehearsal.id}?scope=this&occurrence_start={march.occurrences.1.occurrence_start}',
    body: { title: 'Dress rehearsal', start_at: '2026-03-06T19:00:00', end_at: '2026-03-06T22:00:00' },
    answers: 200,
  },
  {
    as: 'ada',
    send: 'DELETE /api/events/{rehearsal.id}?scope=this&occurrence_start={march.occurrences.2.occurrence_start}',
    answers: 204,
  },
  {
    as: 'ada',
    send: 'PUT /api/events/{rehearsal.id}?scope=following&occurrence_start={march.occurrences.9.occurrence_start}',
    body: { location: 'Church' },
    answers: 200,
    keep: 'following',
  },
  { as: 'ada', send: 'GET /api/events/{rehearsal.id}', answers: 200 },
  {
    as: 'ada',
    send: 'PUT /api/events/{rehearsal.id}',
    body: { title: 'Too late' },
    headers: { 'if-match': '"1"' },
    answers: 412,
  },
  { as: 'ada', send: `GET /api/events?${MARCH}`, answers: 200 },
  { as: 'bob', send: 'GET /api/events/{rehearsal.id}', answers: 404 },
  { as: 'ada', send: 'DELETE /api/events/{holidays.id}', answers: 204 },
]

/** Ada invites Bob, whom she is connected with. */
export const invitations: readonly Step[] = [
  {
    as: 'ada',
    send: 'POST /api/events/{concert.id}/invitations',
    body: { user_ids: ['{bob.user_id}'] },
    answers: 201,
    keep: 'invited',
  },
  {
    as: 'ada',
    send: 'POST /api/events/{following.id}/invitations',
    body: { user_ids: ['{bob.user_id}'] },
    answers: 201,
    keep: 'often',
  },
  { as: 'ada', send: 'POST /api/events/{concert.id}/invitations', body: { user_ids: [9999] }, answers: 404 },
  { as: 'bob', send: 'GET /api/event-invitations', answers: 200 },
  {
    as: 'bob',
    send: 'PUT /api/event-invitations/{invited.invitations.0.id}',
    body: { response: 'Going' },
    answers: 200,
  },
  {
    as: 'bob',
    send: 'PUT /api/event-invitations/{often.invitations.0.id}',
    body: { response: 'Declined', occurrence_start: '{following.start_at}' },
    answers: 200,
  },
  { as: 'bob', send: 'GET /api/calendars', answers: 200, keep: 'his' },
  { as: 'bob', send: `GET /api/events?${MARCH}`, answers: 200 },
  { as: 'bob', send: 'PUT /api/events/{concert.id}', body: { title: 'Mine' }, answers: 403 },
  { as: 'ada', send: 'GET /api/events/{concert.id}/invitations', answers: 200 },
  {
    as: 'ada',
    send: 'PUT /api/events/{concert.id}',
    body: { start_at: '2026-03-29T19:00:00+02:00', end_at: '2026-03-29T21:00:00+02:00' },
    answers: 200,
  },
  {
    as: 'bob',
    send: 'DELETE /api/events/{following.id}/invitations/{often.invitations.0.id}',
    answers: 204,
  },
  { as: 'ada', send: 'DELETE /api/events/{concert.id}', answers: 204 },
]
