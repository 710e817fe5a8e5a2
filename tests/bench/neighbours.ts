import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer, freshDatabaseUrl, stopTestServer } from '../support/database'
import { startService } from '../support/service'
import { PASSWORD, SECRET, type Session, seedUsers } from './accounts'

/**
 * `bun tests/bench/neighbours.ts [seconds] [part of a name]`: one user's ten loops (hey) of each of the worst requests that there are, or
 * of those with the name, and how long another user's list takes meanwhile, twenty times a second. At the end 600 proofs of a password at
 * once, and somebody else's sign-ins.
 */
const SECONDS = Number(process.argv[2] ?? 10)
const isAsked = ({ name }: Pick<Worst, 'name'>) => name.includes(process.argv[3] ?? '')
const LOOPS = 10

type Admin = ReturnType<typeof administer>
type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

interface Worst {
  readonly name: string
  readonly path: string
  readonly method?: string
  readonly type?: string
  readonly body?: string
  readonly loops?: number
}

/** Of 4 992 occurrences and 8 MB, and of one day too many. */
const WINDOW = '/api/events?from=2026-01-01&to=2026-07-28'
const TOO_WIDE = '/api/events?from=2026-01-01&to=2026-07-30'
const json = (value: unknown) => ({ method: 'POST', type: 'application/json', body: JSON.stringify(value) })

/** As much of everything as one request may read. */
async function seedWorst(admin: Admin, { userId }: Session, call: Call) {
  const long = '𝒳'.repeat(10_000)
  await call('POST', '/api/events', {
    title: 'dense',
    description: 'x'.repeat(850),
    start_at: '2026-01-01T00:00',
    end_at: '2026-01-01T00:01',
    time_zone: 'UTC',
    recurrence_rule: `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join(',')}`,
  })
  await admin`
    insert into events (calendar_id, title, description, all_day, start_at, end_at, start_wall, time_zone, last_end_at, created_at, updated_at)
    select id, 'Event ' || n, ${long}, false, at, at, at at time zone 'UTC', 'UTC', at, now(), now()
    from calendars, generate_series(1, 3000) n, lateral (select timestamptz '2027-03-01T12:00Z' as at) m
    where user_id = ${userId} and is_default`
  const letters = Array.from({ length: 5000 }, (_, i) => String.fromCharCode(97 + (i % 20))).join(' ')
  await admin`
    insert into todos (user_id, title, description, priority, rank, created_at, updated_at)
    select ${userId}, 'zebra ' || n, case when n <= 200 then ${letters} else ${long} end, 'none', -n, now(), now()
    from generate_series(1, 2000) n`
  await admin`
    insert into reminders (user_id, title, remind_at, series_start, series_wall, time_zone, recurrence_rule, created_at, updated_at)
    select ${userId}, 'Reminder ' || n, at, at, at at time zone 'UTC', 'UTC', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1,2,3', now(), now()
    from generate_series(1, 5000) n, lateral (select timestamptz '1992-02-29T01:00Z' as at) m`
  const [rare] = await admin`
    insert into calendars (user_id, name, color, is_visible, created_at, updated_at)
    values (${userId}, 'Rare', '#000000', false, now(), now()) returning id`
  await admin`
    insert into events (calendar_id, title, all_day, start_date, end_date, recurrence_rule, created_at, updated_at)
    select ${rare?.['id']}, 'Rare ' || n, true, '1904-02-29', '1904-02-29', 'FREQ=YEARLY;INTERVAL=40;BYMONTH=2;BYMONTHDAY=29', now(), now()
    from generate_series(1, 20000) n`
  return Number(rare?.['id'])
}

/** A calendar of 3 000 events in a zone of the file's own. */
function zoneFile(): string {
  const onsets = Array.from(
    { length: 400 },
    (_, i) => `19${10 + (i % 90)}0${1 + (i % 9)}${10 + (i % 18)}`,
  ).join(',')
  const events = Array.from(
    { length: 3000 },
    (_, i) =>
      `BEGIN:VEVENT\r\nUID:z${i}\r\nDTSTART;TZID=Odd:${1950 + (i % 100)}0305T100000\r\nDTEND;TZID=Odd:${1950 + (i % 100)}0305T110000\r\nSUMMARY:x\r\nEND:VEVENT\r\n`,
  ).join('')
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTIMEZONE\r\nTZID:Odd\r\nBEGIN:STANDARD\r\nDTSTART:19000101T000000\r\nTZOFFSETFROM:+0123\r\nTZOFFSETTO:+0123\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nRDATE:${onsets}\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n${events}END:VCALENDAR`
}

const worst = (calendar: number, rare: number): Worst[] => [
  { name: 'nothing', path: '/health/live' },
  { name: 'a window of 5 000 occurrences', path: WINDOW },
  { name: 'its HEAD', path: WINDOW, method: 'HEAD' },
  { name: 'a window of more, which is refused', path: TOO_WIDE },
  {
    name: 'a window of 3 000 long events, filtered',
    path: '/api/events?from=2027-03-01&to=2027-03-02&q=zzz',
  },
  {
    name: 'a window among 20 000 rare series',
    path: `/api/events?calendar_id=${rare}&from=2027-05-01&to=2027-05-02`,
  },
  { name: 'a page of long todos', path: '/api/todos?limit=200' },
  { name: 'the dashboard', path: '/api/dashboard?date=2026-03-01' },
  { name: 'a search of many letters', path: '/api/search?q=a+b+c+d+e+f+g+h' },
  { name: 'a search of 200 hits', path: '/api/search?q=zebra&limit=200' },
  { name: 'reminders', path: '/api/reminders?limit=200' },
  { name: 'the export of the account', path: '/api/export' },
  {
    name: 'the import of an odd zone',
    path: `/api/calendars/${calendar}/import?dry_run=true`,
    method: 'POST',
    type: 'text/calendar',
    body: zoneFile(),
  },
  {
    name: 'proofs of a password',
    path: '/api/auth/verify-password',
    ...json({ password: 'wrong wrong wrong' }),
  },
]

/** Ten loops of a request; answers how often which status came. */
async function loop(
  base: string,
  cookie: string,
  folder: string,
  { path, method = 'GET', type, body, loops = LOOPS }: Worst,
) {
  const file = join(folder, 'body')
  if (body !== undefined) await writeFile(file, body)
  const sent = body === undefined ? [] : ['-D', file, '-T', type ?? '']
  const child = Bun.spawn(
    [
      'hey',
      '-c',
      String(loops),
      '-z',
      `${SECONDS}s`,
      '-t',
      '70',
      '-m',
      method,
      '-H',
      `Cookie: session=${cookie}`,
    ].concat(sent, `${base}${path}`),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const report = await new Response(child.stdout).text()
  return [...report.matchAll(/\[(\d{3})\]\s+(\d+) responses/g)]
    .map(([, status, count]) => `${count} × ${status}`)
    .join(', ')
}

interface Probe {
  readonly everyMs: number
  /** The most milliseconds that one of a hundred may take. */
  readonly limitMs: number
  readonly ask: () => Promise<Response>
}

/** What somebody else asks until the signal: how long it takes, and which answers are not 200. */
async function probe({ everyMs, ask }: Probe, signal: AbortSignal) {
  const [times, odd, waiting] = [[] as number[], [] as number[], [] as Array<Promise<void>>]
  const once = async () => {
    const since = performance.now()
    const answer = await ask()
    await answer.text()
    times.push(performance.now() - since)
    if (answer.status !== 200) odd.push(answer.status)
  }
  while (!signal.aborted) {
    waiting.push(once())
    await Bun.sleep(everyMs)
  }
  await Promise.all(waiting)
  const quantile = (q: number) =>
    Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * q)] ?? Number.NaN)
  return { p50: quantile(0.5), p99: quantile(0.99), max: quantile(0.999999), odd }
}

await using resources = new AsyncDisposableStack()
resources.defer(stopTestServer)
const folder = await mkdtemp(join(tmpdir(), 'organiser-neighbours-'))
resources.defer(() => rm(folder, { recursive: true }))
const database = resources.use(await freshDatabaseUrl())
const [eve, vic] = await seedUsers(database.url)
const service = resources.use(
  await startService({ env: { DATABASE_URL: database.url, SECRET_KEYS: SECRET } }),
)
const call: Call = async (method, path, body) => {
  const headers = { cookie: `session=${eve.cookie}`, 'content-type': 'application/json' }
  const answer = await service.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
const admin = administer(database.url)
const [calendar] = await admin`
  insert into calendars (user_id, name, color, is_default, created_at, updated_at)
  values (${eve.userId}, 'Personal', '#3b82f6', true, now(), now()) returning id`
const rare = await seedWorst(admin, eve, call)
await admin`vacuum analyze`
await admin.end({ timeout: 5 })

async function measure(one: Worst, probing: Probe) {
  const stop = new AbortController()
  const probed = probe(probing, stop.signal)
  const answers = await loop(service.url, eve.cookie, folder, one)
  stop.abort()
  const { p50, p99, max, odd } = await probed
  const refused = odd.length > 0 ? `, refused ${odd.length} (${odd[0]})` : ''
  console.log(
    `${one.name.padEnd(42)} somebody else p50 ${p50} ms, p99 ${p99} ms, max ${max} ms${refused}; ${answers}`,
  )
  if (odd.length > 0 || p99 >= probing.limitMs) process.exitCode = 1
}

const list: Probe = {
  everyMs: 50,
  limitMs: 100,
  ask: () => service.fetch('/api/todos?limit=1', { headers: { cookie: `session=${vic.cookie}` } }),
}
for (const one of worst(Number(calendar?.['id']), rare).filter(isAsked)) await measure(one, list)

const signIn: Probe = {
  everyMs: 500,
  limitMs: 1000,
  ask: () => service.post('/api/auth/login', { username: 'user1', password: PASSWORD }),
}
const proofs = worst(0, rare)
  .slice(-1)
  .map((one) => ({ ...one, name: '600 proofs at once, and signing in', loops: 600 }))
for (const one of proofs.filter(isAsked)) await measure(one, signIn)
