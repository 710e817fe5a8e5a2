import { describe, expect, test } from 'bun:test'
import { dav } from '../../../src/lib/xml/names'
import { DAV_SCOPES, phoneOf } from '../../support/dav'
import { befriend } from '../../support/inviting'
import {
  calendarsOf,
  componentsOf,
  eventText,
  listed,
  listsOf,
  makeMixed,
  mixedBody,
  mixedOwner,
  namesOf,
  proppatch,
  put,
  todoText,
} from '../../support/mixed'
import { sharer } from '../../support/sharing'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

describe('an app password', () => {
  test('of calendars or tasks alone sees that half at the same address', async () => {
    const { ada, phone, path } = await mixedOwner(h)
    await put(phone, `${path}e.ics`, eventText('e'))
    await put(phone, `${path}t.ics`, todoText('t'))
    const [events, todos] = [
      await phoneOf(h, ada, ['dav', 'calendars:write']),
      await phoneOf(h, ada, ['dav', 'tasks:write']),
    ]
    expect([await componentsOf(events, path), await listed(events, path)]).toEqual([
      ['VEVENT'],
      { 'e.ics': 'VEVENT' },
    ])
    expect([await componentsOf(todos, path), await listed(todos, path)]).toEqual([
      ['VTODO'],
      { 't.ics': 'VTODO' },
    ])
    for (const [half, other, text] of [
      [events, 't.ics', eventText('n')],
      [todos, 'e.ics', todoText('n')],
      [events, 'n.ics', eventText('t')],
      [todos, 'n.ics', todoText('e')],
      [todos, 'inv-7.ics', todoText('n')],
    ] as const)
      expect([other, (await put(half, path + other, text)).status]).toEqual([other, 403])
    expect((await events.send('DELETE', path)).status).toBe(204)
    expect(await componentsOf(phone, path)).toEqual(['VTODO'])
    expect(await listed(phone, path)).toEqual({ 't.ics': 'VTODO' })
  })

  test('that writes to one half and reads the other is told so by the privileges of each object, and refused so', async () => {
    const { ada, phone, path } = await mixedOwner(h)
    await put(phone, `${path}e.ics`, eventText('e'))
    await put(phone, `${path}t.ics`, todoText('t'))
    const half = await phoneOf(h, ada, ['dav', 'calendars:write', 'tasks:read'])
    const { responses } = await half.propfind(path, ['d:current-user-privilege-set'], '1')
    const writable = [...responses].flatMap(([href, { found }]) => {
      const privileges = found.get(dav('current-user-privilege-set'))?.children ?? []
      return privileges.some(({ children: [one] }) => one?.name === dav('write-content')) ? [href] : []
    })
    expect(writable).toEqual([path, `${path}e.ics`])
    expect((await put(half, `${path}e.ics`, eventText('e', 'Dinner'))).status).toBe(204)
    for (const answer of [
      await put(half, `${path}t.ics`, todoText('t', 'Bread')),
      await half.send('DELETE', `${path}t.ics`),
      await half.send('MOVE', `${path}t.ics`, { headers: { destination: `${path}u.ics` } }),
      await half.send('DELETE', path),
      await half.send('MKCALENDAR', `${half.home}other/`, { body: mixedBody() }),
    ])
      expect([answer.status, answer.xml.children[0]?.name]).toEqual([403, dav('need-privileges')])
    expect((await proppatch(half, path, '<d:displayname>House</d:displayname>')).text).toContain('200 OK')
    expect(namesOf(await calendarsOf(ada))).toContain('House')
    expect(namesOf(await listsOf(ada))).toEqual(['Todos', 'Home'])
  })
})

test('members of the calendar see its events alone, and take no name or UID of the todos', async () => {
  const [ada, bob] = [await sharer(h), await sharer(h)]
  await befriend(h, ada, [bob])
  const phone = await phoneOf(h, ada, DAV_SCOPES)
  const path = await makeMixed(phone)
  const { id } = (await calendarsOf(ada)).find(({ name }: { readonly name: string }) => name === 'Home')
  await ada.share(id, bob, 'write')
  await bob.acceptAll()
  await put(phone, `${path}e.ics`, eventText('e'))
  await put(phone, `${path}t.ics`, todoText('t'))
  const other = await phoneOf(h, bob)
  const theirs = `${other.home}calendar-${id}/`
  expect([await componentsOf(other, theirs), await listed(other, theirs)]).toEqual([
    ['VEVENT'],
    { 'e.ics': 'VEVENT' },
  ])
  expect((await put(other, `${theirs}x.ics`, todoText('x'))).status).toBe(403)
  expect((await put(other, `${theirs}t.ics`, eventText('other'))).status).toBe(403)
  expect((await put(other, `${theirs}other.ics`, eventText('t'))).status).toBe(403)
  expect((await put(other, `${theirs}other.ics`, eventText('other'))).status).toBe(201)
  expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 'other.ics': 'VEVENT', 't.ics': 'VTODO' })
})
