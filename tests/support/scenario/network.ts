import type { Step } from './steps'

const VCARD = { 'content-type': 'text/vcard' }

const CARDS = `BEGIN:VCARD
VERSION:3.0
UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1
FN:Grace Hopper
N:Hopper;Grace;;;
BDAY:1906-12-09
EMAIL;TYPE=INTERNET:grace@example.org
TEL;TYPE=CELL:+1 555 0100
X-SHIP:Constitution
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen
TEL;HOME:030 1234
END:VCARD
BEGIN:VCARD
VERSION:4.0
NOTE:nobody
END:VCARD
`.replaceAll('\n', '\r\n')

export const addressBooks: readonly Step[] = [
  { as: 'ada', send: 'GET /api/address-books', answers: 200, keep: 'books' },
  {
    as: 'ada',
    send: 'POST /api/address-books',
    body: { name: 'Choir', color: '#a0b1c2' },
    answers: 201,
    keep: 'choir book',
  },
  { as: 'ada', send: 'POST /api/address-books', body: { name: 'Choir' }, answers: 409 },
  { as: 'ada', send: 'PUT /api/address-books/{choir book.id}', body: { position: 1 }, answers: 200 },
  {
    as: 'ada',
    send: 'POST /api/people',
    body: { nickname: 'Nadia', book_id: '{choir book.id}' },
    answers: 201,
    keep: 'nadia',
  },
  { as: 'ada', send: 'GET /api/people?book_id={choir book.id}', answers: 200 },
  {
    as: 'ada',
    send: 'PUT /api/people/{nadia.id}',
    body: { book_id: '{books.address_books.0.id}' },
    answers: 200,
  },
  { as: 'ada', send: 'GET /api/people/export?book_id={choir book.id}', answers: 200 },
  { as: 'bob', send: 'GET /api/address-books/{choir book.id}', answers: 404 },
  { as: 'ada', send: 'DELETE /api/address-books/{choir book.id}', answers: 204 },
  { as: 'ada', send: 'DELETE /api/address-books/{books.address_books.0.id}', answers: 409 },
]

export const people: readonly Step[] = [
  {
    as: 'ada',
    send: 'POST /api/people',
    body: {
      first_name: 'Émile',
      last_name: 'du Châtelet',
      birthday: '--02-29',
      category: 'Friends',
      is_favourite: true,
    },
    answers: 201,
    keep: 'emile',
  },
  { as: 'ada', send: 'POST /api/people', body: { email: 'nobody@example.org' }, answers: 422 },
  { as: 'ada', send: 'POST /api/people/import?dry_run=true', body: CARDS, headers: VCARD, answers: 200 },
  { as: 'ada', send: 'POST /api/people/import', body: CARDS, headers: VCARD, answers: 200 },
  { as: 'ada', send: 'POST /api/people/import', body: CARDS, headers: VCARD, answers: 200 },
  { as: 'ada', send: 'POST /api/people/import', body: 'no cards', headers: VCARD, answers: 422 },
  { as: 'ada', send: 'GET /api/people', answers: 200 },
  { as: 'ada', send: 'GET /api/people?q=gra&sort=birthday', answers: 200, keep: 'found' },
  {
    as: 'ada',
    send: 'PUT /api/people/{found.people.0.id}',
    body: { notes: 'Compilers\nand bugs' },
    answers: 200,
  },
  { as: 'ada', send: 'GET /api/people/upcoming-birthdays?days=366', answers: 200 },
  { as: 'ada', send: 'GET /api/people/export', answers: 200 },
  { as: 'ada', send: 'GET /api/events?from=2026-12-01T00:00:00Z&to=2026-12-31T00:00:00Z', answers: 200 },
  { as: 'ada', send: 'DELETE /api/people/{emile.id}', answers: 204 },
]

/** Ada asks Bob, and they show each other something. */
export const connections: readonly Step[] = [
  { as: 'ada', send: 'POST /api/connections/search', body: { network_name: 'bob-at-home' }, answers: 200 },
  { as: 'ada', send: 'POST /api/connections/search', body: { network_name: 'bob' }, answers: 200 },
  {
    as: 'ada',
    send: 'POST /api/connections/requests',
    body: { network_name: 'eve-at-home' },
    answers: 404,
  },
  {
    as: 'ada',
    send: 'POST /api/connections/requests',
    body: { network_name: 'bob-at-home', message: 'It is me' },
    answers: 201,
    keep: 'asked',
  },
  { as: 'ada', send: 'POST /api/connections/requests', body: { network_name: 'bob-at-home' }, answers: 409 },
  { as: 'ada', send: 'PUT /api/connections/requests/{asked.id}/cancel', answers: 200 },
  {
    as: 'bob',
    send: 'POST /api/connections/requests',
    body: { network_name: 'ada-at-home' },
    answers: 201,
    keep: 'request',
  },
  { as: 'ada', send: 'GET /api/connections/requests?direction=incoming', answers: 200 },
  { as: 'bob', send: 'PUT /api/connections/requests/{request.id}/accept', answers: 404 },
  { as: 'ada', send: 'PUT /api/connections/requests/{request.id}/accept', answers: 200, keep: 'accepted' },
  { as: 'ada', send: 'GET /api/connections', answers: 200 },
  {
    as: 'ada',
    send: 'PUT /api/connections/{accepted.connection.id}/sharing',
    body: { share_phone: true, share_birthday: false },
    answers: 200,
  },
  { as: 'bob', send: 'GET /api/connections', answers: 200, keep: 'his connections' },
  { as: 'bob', send: 'GET /api/people', answers: 200 },
]

/** What both have heard of each other, and the end of it. */
export const partings: readonly Step[] = [
  { as: 'bob', send: 'GET /api/notifications', answers: 200, keep: 'heard' },
  { as: 'bob', send: 'PUT /api/notifications/{heard.notifications.0.id}/read', answers: 200 },
  { as: 'bob', send: 'GET /api/notifications?unread=true&limit=1', answers: 200 },
  { as: 'bob', send: 'DELETE /api/notifications/{heard.notifications.0.id}', answers: 204 },
  { as: 'ada', send: 'PUT /api/notifications/read-all', answers: 200 },
  { as: 'ada', send: 'GET /api/notifications', answers: 200 },
  { as: 'bob', send: 'DELETE /api/connections/{his connections.connections.0.id}', answers: 204 },
  { as: 'ada', send: 'GET /api/connections', answers: 200 },
]
