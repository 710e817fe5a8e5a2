import { expect, test } from 'bun:test'
import { multigetOf, type Phone, phoneOf, PREFIXES } from '../support/dav'
import { organiser } from '../support/events'
import { observed } from '../support/statements'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start(events = 0) {
  const ada = await organiser(h)
  const phone = await phoneOf(h, ada)
  for (let n = 0; n < events; n++)
    await ada.create({
      title: `Event ${n}`,
      start_at: '2026-04-10T12:00:00',
      end_at: '2026-04-10T13:00:00',
    })
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return { ada, phone, path }
}

/** How many statements the request sends, once everything is prepared and noted. */
async function statementsOf(request: () => ReturnType<Phone['send']>): Promise<number> {
  expect((await request()).status).toBe(207)
  using log = observed(h.db)
  await request()
  return log.length
}

const namesOf = async ({ phone, path }: Awaited<ReturnType<typeof start>>) => {
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  return [...responses.keys()].filter((href) => href !== path)
}

test('a home of fifty calendars takes at most six statements, and no more than one of a few', async () => {
  const { ada, phone } = await start()
  const asked = [
    'd:displayname',
    'd:sync-token',
    'cs:getctag',
    'a:calendar-color',
    'd:current-user-privilege-set',
  ]
  const home = () => phone.propfind(phone.home, asked, '1')
  const few = await statementsOf(home)
  for (let n = 0; n < 50; n++)
    await ada.request('POST', '/api/calendars', { body: { name: `Calendar ${n}` } })
  const many = await statementsOf(home)
  expect(many).toBe(few)
  expect(many).toBeLessThanOrEqual(6)
})

test('a multiget of a hundred takes as many statements as one of ten', async () => {
  const own = await start(100)
  const names = await namesOf(own)
  expect(names).toHaveLength(100)
  const multiget = (count: number) =>
    statementsOf(() => own.phone.report(own.path, multigetOf(names.slice(0, count))))
  expect(await multiget(100)).toBe(await multiget(10))
})

test('a query for what is to come reads no texts of single events', async () => {
  const [few, many] = [await start(3), await start(250)]
  const body = `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="20260301T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
  const query = ({ phone, path }: typeof few) => statementsOf(() => phone.report(path, body, { depth: '1' }))
  expect(await query(many)).toBe(await query(few))
})
