import { expect, setDefaultTimeout, test } from 'bun:test'
import { heapStats } from 'bun:jsc'
import { sql } from 'drizzle-orm'
import { listen } from '../../../../src/adapters/http-server'
import { administer } from '../../../support/database'
import { type Actor, startHarness } from '../../../support/harness'
import { observed } from '../../../support/statements'
import { createToken } from '../../../support/tokens'
import { until } from '../../../support/service'
import { useHarness } from '../../../support/use-harness'

setDefaultTimeout(60_000)

const h = useHarness()

const BATCH = 5000

/** People with notes of 1 000 characters. */
async function addPeople(actor: Actor, count: number) {
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(count, first + BATCH - 1)
    await h.db.execute(sql`
      insert into people (user_id, first_name, notes, created_at, updated_at)
      select ${actor.row.id}, 'Person ' || n, repeat('x', 1000), now(), now()
      from generate_series(${first}::integer, ${last}::integer) as n`)
  }
}

async function open(actor: Actor) {
  const headers = { cookie: `session=${actor.token}` }
  const response = await h.app.fetch(new Request('http://localhost/api/export', { headers }))
  if (!response.body) throw new Error('no body')
  return response.body.getReader()
}

test('keeps little of a document of 50 000 records in memory at once', async () => {
  const ada = await h.signedIn()
  await addPeople(ada, 50_000)
  const reader = await open(ada)
  const decoder = new TextDecoder()
  const heap = () => {
    Bun.gc(true)
    return heapStats().heapSize
  }
  const before = heap()
  let [length, people, peak, largest, pieces] = [0, 0, 0, 0, 0]
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.byteLength
    largest = Math.max(largest, piece.value.byteLength)
    people += decoder.decode(piece.value).split('"first_name":"Person ').length - 1
    if (pieces++ % 100 === 0) peak = Math.max(peak, heap() - before)
  }
  expect(people).toBe(50_000)
  expect(length).toBeGreaterThan(50_000_000)
  expect(largest).toBeLessThan(length / 500)
  expect(peak).toBeLessThan(length / 4)
})

test('reads on only as its reader does, in pages of at most 500, and holds nothing meanwhile', async () => {
  const ada = await h.signedIn()
  await addPeople(ada, 5000)
  using statements = observed(h.db)
  const reader = await open(ada)
  let text = ''
  // The first page, which tells how long their texts are, is a short one.
  while (!text.includes('Person 100"')) text += new TextDecoder().decode((await reader.read()).value)
  const asked = () => statements.length
  const soFar = asked()
  const busy = await h.db.$client<[{ count: number }]>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'`
  expect(busy[0].count).toBe(0)
  for (let read = 0; read < 4; read++) await reader.read()
  expect(asked()).toBe(soFar)
  while (!(await reader.read()).done);
  expect(asked() - soFar).toBeGreaterThan(10)
  expect(statements.filter(({ isInTransaction }) => isInTransaction)).toEqual([])
})

test('reads fewer records at once where their texts are long', async () => {
  const ada = await h.signedIn()
  await addPeople(ada, 400)
  const statementsOfExport = async () => {
    using statements = observed(h.db)
    expect((await ada.request('GET', '/api/export')).body.people).toHaveLength(400)
    return statements.length
  }
  const ofShort = await statementsOfExport()
  await h.db.execute(sql`update people set notes = repeat('x', 10_000) where user_id = ${ada.row.id}`)
  // About a hundred at once, and each time a look at the session.
  expect((await statementsOfExport()) - ofShort).toBeGreaterThanOrEqual(4)
})

test('reads nothing more once its reader has gone', async () => {
  const ada = await h.signedIn()
  await addPeople(ada, 5000)
  const reader = await open(ada)
  await reader.read()
  using statements = observed(h.db)
  await reader.cancel()
  expect(await reader.read()).toEqual({ done: true, value: undefined })
  // At most the page that was under way, and the one that was asked for: each a look at the session and a read.
  expect(statements.length).toBeLessThan(5)
})

test('holds everybody once, whoever comes and goes between its pages', async () => {
  const ada = await h.signedIn()
  await addPeople(ada, 1500)
  const reader = await open(ada)
  let text = ''
  while (!text.includes('Person 1"')) text += new TextDecoder().decode((await reader.read()).value)
  await h.db.execute(sql`
    update people set first_name = 'A' || first_name, created_at = now() where user_id = ${ada.row.id} and id % 2 = 0`)
  await h.db.execute(sql`
    delete from people where user_id = ${ada.row.id} and first_name in ('Person 3', 'APerson 4')`)
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += new TextDecoder().decode(piece.value)
  }
  const ids: number[] = JSON.parse(text).people.map(({ id }: { id: number }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([1500, 1500])
})

test.each([
  ['session', async (ada: Actor) => ({ cookie: `session=${(await h.session(ada.row.id)).token}` })],
  ['access token', async (ada: Actor) => ({ authorization: `Bearer ${(await createToken(ada)).token}` })],
])('breaks off once its %s has ended: nobody reads on who was thrown out', async (_, steal) => {
  const ada = await h.signedIn()
  await addPeople(ada, 1500)
  const answer = await h.app.fetch(
    new Request('http://localhost/api/export', { headers: new Headers(await steal(ada)) }),
  )
  const reader = answer.body?.getReader()
  let text = ''
  const read = async () => {
    const piece = await reader?.read()
    text += new TextDecoder().decode(piece?.value)
    return piece?.done ?? true
  }
  while (!text.includes('Person 1"')) await read()
  const ended = await ada.request('DELETE', '/api/auth/sessions', { body: { everything: true } })
  expect(ended.status).toBe(200)
  await ada.request('POST', '/api/projects', { body: { name: 'Made afterwards' } })
  const rest = async () => {
    while (!(await read()));
  }
  expect(await rest().catch(() => 'broke off')).toBe('broke off')
  expect(text).not.toContain('Made afterwards')
})

test('that fails midway ends its connection before the document, and says so in the log', async () => {
  await using own = await startHarness()
  const ada = await own.signedIn()
  // Without the service's time-outs, as indexing so much may take longer on a busy machine.
  const admin = administer(own.url)
  await admin`
    insert into people (user_id, first_name, notes, created_at, updated_at)
    select ${ada.row.id}, 'Person ' || n, repeat('x', 9000), now(), now() from generate_series(1, 3000) as n`
  await admin.end({ timeout: 5 })
  const server = listen({
    hostname: '127.0.0.1',
    ports: [0],
    handle: own.app.fetch,
    failed: () => new Response(null, { status: 500 }),
  })
  try {
    const headers = { cookie: `session=${ada.token}` }
    const response = await fetch(`http://127.0.0.1:${server.port}/api/export`, { headers })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    await reader?.read()
    await own.db.execute(sql`alter table notifications rename to gone`)
    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    // oxlint-disable-next-line typescript/await-thenable -- the matcher's type hides that it waits
    await expect(rest()).rejects.toThrow()
    const broken = await until(() => own.log.entries.find(({ message }) => message === 'An answer broke off'))
    expect(broken).toMatchObject({ level: 'error', fields: { user_id: ada.row.id, database_code: '42P01' } })
  } finally {
    await server.stop(true)
  }
})
