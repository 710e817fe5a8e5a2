import { documentOf, operationsOf } from './openapi'
import { calendar, importInto } from './calendar-files'
import type { Harness } from './harness'
import { at } from './events'
import { did } from './undoing'
import { befriend } from './inviting'
import { sharedWith, sharer } from './sharing'

/** A word that stands in every text of the private events, and nowhere else. */
export const CANARY = 'Zanzibar'

export const DAYS = { from: '2026-03-09T00:00Z', to: '2026-03-20T00:00Z' }
const TIMES = {
  start_at: '2026-03-10T09:00:00Z',
  end_at: '2026-03-10T10:00:00Z',
  time_zone: 'UTC',
  recurrence_rule: 'FREQ=DAILY;COUNT=4',
}
const START = (day: number) => `2026-03-${day}T09:00:00Z`
export const SECOND = START(11)
export const THIRD = START(12)

const said = (what: string) => ({
  title: `${CANARY} ${what}`,
  description: `${CANARY} for ${what} ${'long '.repeat(200)}`,
  location: `${CANARY} at ${what}`,
  reminder_minutes: 7,
})

const FILE = calendar(
  [
    `UID:${CANARY}-uid`,
    'DTSTART:20260310T120000Z',
    'DTEND:20260310T130000Z',
    'RRULE:FREQ=DAILY;COUNT=3',
    'CLASS:CONFIDENTIAL',
    `SUMMARY:${CANARY} imported`,
    `DESCRIPTION:${CANARY} imported`,
    `CATEGORIES:${CANARY}`,
    `X-NOTE:${CANARY}`,
    'SEQUENCE:41',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${CANARY}`,
    'TRIGGER:-PT7M',
    'END:VALARM',
  ],
  [
    `UID:${CANARY}-uid`,
    'RECURRENCE-ID:20260311T120000Z',
    'DTSTART:20260311T123000Z',
    'DTEND:20260311T133000Z',
    `SUMMARY:${CANARY} moved`,
    `X-NOTE:${CANARY} moved`,
  ],
)

/**
 * A calendar that its owner shares with a member who may write. In it are a series that was public and is private now, with an
 * occurrence that has another text, one that was moved and one that was deleted, a guest, and an imported series that is confidential.
 */
export async function secrets(h: Harness) {
  const { ada, bob, calendar: shared } = await sharedWith(h, 'write')
  const guest = await sharer(h)
  await befriend(h, ada, [guest])
  const { id } = await ada.create({ ...TIMES, ...said('first'), calendar_id: shared.id })
  await did(ada, `PUT /api/events/${id}`, said('second'))
  const change = (start: string, body: object = {}) =>
    did(ada, `PUT /api/events/${id}?${new URLSearchParams(at(start)).toString()}`, body)
  await change(SECOND, said('override'))
  await change(THIRD, {
    ...said('moved'),
    start_at: '2026-03-12T11:00:00Z',
    end_at: '2026-03-12T12:00:00Z',
  })
  await did(ada, `DELETE /api/events/${id}?${new URLSearchParams(at(START(13))).toString()}`)
  await ada.invite(id, guest)
  const hiding = await did(ada, `PUT /api/events/${id}`, { visibility: 'private' })
  const imported = await importInto(ada, shared.id, FILE)
  if (imported.body.created !== 1) throw new Error(JSON.stringify(imported.body))
  return { ada, bob, guest, shared, id, hiding: hiding.operation, feed: await ada.feedOf(shared.id) }
}

export type Secrets = Awaited<ReturnType<typeof secrets>>

/** Where a request of the document leads with these records. */
function addressesOf(path: string, { shared, id, feed }: Secrets): string[] {
  if (path.startsWith('/api/feeds/')) return [feed]
  const filled = path.replaceAll(/\{\w+\}/g, path.startsWith('/api/events/') ? String(id) : String(shared.id))
  if (path === '/api/search') return [`${filled}?q=${CANARY}`, `${filled}?q=imported`, `${filled}?q=busy`]
  if (path === '/api/changes/stream') return [filled]
  if (path !== '/api/events' && !path.endsWith('/occurrences')) return [`${filled}?date=2026-03-10`, filled]
  const queries = ['', `&q=${CANARY}`, '&q=moved', `&calendar_id=${shared.id}`]
  return queries.map((more) => `${filled}?${new URLSearchParams(DAYS).toString()}${more}`)
}

/** What live updates say before they wait. */
async function firstPageOf({ body }: Response): Promise<string> {
  if (!body) throw new Error('no stream')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/"changes":.*\n\n/.test(text)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`no changes: ${text}`)
    text += value
  }
  await reader.cancel()
  return text
}

/** The reading operations of the document that show the canary to this reader. */
export async function showing(h: Harness, scene: Secrets, token: string): Promise<string[]> {
  const operations = operationsOf(await documentOf(h.app.fetch)).filter(({ method }) => method === 'GET')
  const found = new Set<string>()
  const read = (address: string) =>
    h.app.fetch(new Request(`http://localhost${address}`, { headers: { cookie: `session=${token}` } }))
  const { next } = (await (await read('/api/changes?limit=1')).json()) as { next: string }
  for (const { path } of operations) {
    for (const address of addressesOf(path, scene)) {
      const isStream = path === '/api/changes/stream'
      const text = isStream
        ? await firstPageOf(await read(`${address}?since=${next}`))
        : await (await read(address)).text()
      if (text.toLowerCase().includes(CANARY.toLowerCase())) found.add(path)
    }
  }
  return [...found].toSorted()
}
