import { eventIn } from '../support/streams'
import type { Draw } from './draw'
import { ending } from './findings'
import { mute, type Reader, sessionOf, type StreamServer } from './stream-server'

const PATH = '/api/changes/stream'
/** A service answers, and tells what was written, in less. */
const SOON_MS = 60_000

/** A place from which to follow, and whether the reader was ever told it. */
interface Place {
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly isKnown: boolean
}

const forgedFrom = (draw: Draw, real: string): string =>
  draw.pick([
    'forged',
    '1*0*1*-*u1-1.k1.x',
    `${real}x`,
    real.slice(0, -1),
    real.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    real.replace('k1', 'k2'),
    real.toUpperCase(),
    'x'.repeat(5000),
    '%00',
    '😀',
    '-1',
    draw.text(1, 40),
  ])

const asked = (since: string) => ({
  query: `?since=${encodeURIComponent(since.toWellFormed())}`,
  headers: {},
})
const lastOf = (id: string) => ({ 'last-event-id': id.replaceAll(/[^\x20-\x7e]/g, '?') })

/** Asked for, or as the last event that arrived. */
const from = (draw: Draw, since: string, isKnown: boolean): Place =>
  draw.percent(50) ? { ...asked(since), isKnown } : { query: '', headers: lastOf(since), isKnown }

const ODD = ['?since=', '?since', '?since=%ff', '?since=x&since=y'] as const

/** From now, from a place of one's own, of somebody else, or from none that there is. */
export function placeFor(draw: Draw, reader: Reader, others: readonly Reader[]): Place {
  const own = draw.oneOf(reader.cursors)
  const foreign = draw.oneOf(others.flatMap(({ cursors }) => cursors))
  const forged = forgedFrom(draw, own ?? 'x')
  const now: Place = { query: draw.percent(90) ? '' : '?unknown=1', headers: {}, isKnown: true }
  return draw.pick<() => Place>([
    () => now,
    () => (own === undefined ? now : from(draw, own, true)),
    () => (own === undefined ? now : from(draw, own, true)),
    () => (foreign === undefined ? now : from(draw, foreign, false)),
    () => ({ ...asked(forged), isKnown: false }),
    // What the browser sends by itself wins.
    () => (own === undefined ? now : { ...asked(forged), headers: lastOf(own), isKnown: true }),
    () => ({ query: draw.pick(ODD), headers: {}, isKnown: false }),
  ])()
}

/** The events in a text, whose last may not be whole; undefined for what is no event. */
export function eventsIn(text: string): Array<ReturnType<typeof eventIn>> {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    if (block.startsWith(':') || /^retry: \d+$/.test(block)) return []
    try {
      return [eventIn(block)]
    } catch {
      return [undefined]
    }
  })
}

export interface Followed {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Whether what the reader wrote meanwhile has arrived; undefined where they wrote nothing. */
  readonly hasArrived: boolean | undefined
}

interface Visit {
  readonly method: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Ends the reading once it is true. */
  readonly isEnough: (text: string) => boolean
  /** Done once the stream is ready. */
  readonly write?: () => Promise<string>
}

/** Opens a stream and reads until there is enough, it ends, or what was written has arrived. */
export async function visit({ service }: StreamServer, visited: Visit): Promise<Followed> {
  const leaving = new AbortController()
  const { method, query, headers, isEnough, write } = visited
  const response = await ending(
    service.fetch(PATH + query, { method, headers, signal: leaving.signal }),
    'opening a stream',
    { waitMs: SOON_MS },
  )
  const answered = { status: response.status, headers: response.headers }
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return {
      ...answered,
      text: await ending(response.text(), 'an answer', { waitMs: SOON_MS }),
      hasArrived: undefined,
    }
  const seen = { text: '', written: undefined as string | undefined }
  const reader = response.body?.getReader()
  const hasEnough = async (bytes: Uint8Array): Promise<boolean> => {
    seen.text += decoder.decode(bytes, { stream: true })
    if (seen.text.includes('event: ready') && write) seen.written ??= await write()
    const isWhole = seen.written === undefined ? isEnough(seen.text) : seen.text.includes(seen.written)
    return isWhole || seen.text.includes('event: end')
  }
  const decoder = new TextDecoder()
  try {
    await ending(readUntil(reader, hasEnough), 'a stream', { waitMs: SOON_MS }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${response.status} ${seen.written} in ${seen.text}`, {
        cause: error,
      })
    })
  } finally {
    leaving.abort()
    await reader?.cancel().catch(() => undefined)
  }
  const { text, written } = seen
  return { ...answered, text, hasArrived: written === undefined ? undefined : text.includes(written) }
}

async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  hasEnough: (bytes: Uint8Array) => Promise<boolean>,
): Promise<void> {
  for (;;) {
    const read = await reader?.read()
    if (!read?.value || (await hasEnough(read.value))) return
  }
}

/** Connections that come and go without a word, in the middle of a request, or that never read. */
export function strangers(server: StreamServer, reader: Reader, draw: Draw) {
  const head = `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${server.service.port}\r\n`
  const whole = `${head}Cookie: ${sessionOf(reader).cookie}\r\n\r\n`
  return Array.from({ length: draw.integer(1, 6) }, () =>
    mute(server, draw.pick(['', head, whole.slice(0, draw.nat(whole.length)), whole, whole, whole])),
  )
}
