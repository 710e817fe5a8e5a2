import postgres, { type Sql } from 'postgres'
import { serversOf, wantsPrimary } from '../lib/database-url'

/** No server let a connection in that takes writes. */
class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
  readonly code = 'CONNECTION_WITHOUT_PRIMARY'
}

/** Opens a client with one connection to the server at `url`, and calls back when that closes. */
export type Door = (url: string, onclose: () => void) => Sql

/** A connection that is being opened. */
export interface OpeningConnection {
  /** Resolves once the connection can be used. */
  readonly opened: Promise<{ readonly client: Sql; readonly url: string }>
  /** Gives up what is not open yet. */
  abandon(): void
}

/** The server that let a connection in last is asked alone for so long. */
const HEAD_START_MS = 250
/** The others are given so long to end what they do. */
const PATIENCE_SECONDS = 2

/** A standby answers too, and so does a primary in whose place another was promoted, until it notices. */
const STATE = `
  select system_identifier::text as system, current_setting('transaction_read_only') = 'on' as is_read_only,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as timeline
  from pg_control_system()`

/** The servers of one database, of which one at a time takes writes. */
export class Servers {
  /** That of the last connection first. */
  #urls: readonly string[]
  /** The latest timeline that was met, and the server's identity. */
  #met = { system: '', timeline: 0 }
  readonly #onPromoted: () => void

  /** `onPromoted` is called when a connection is the first one to a server that was promoted. */
  constructor(url: string, onPromoted: () => void = () => {}) {
    this.#urls = serversOf(url)
    this.#onPromoted = onPromoted
  }

  /** Opens a connection to the primary: first where the last one was, and soon everywhere at once. */
  open(door: Door, onclose: () => void): OpeningConnection {
    const clients = new Set<Sql>()
    let [isOver, chosen]: [boolean, Sql | undefined] = [false, undefined]
    const attempt = async (url: string) => {
      if (isOver) throw new NoPrimaryError('not needed any more')
      const closed = Promise.withResolvers<never>()
      const client = door(url, () => {
        if (client === chosen) onclose()
        else closed.reject(new NoPrimaryError('the server closed the connection'))
      })
      clients.add(client)
      await Promise.race([this.#refuseOther(client), closed.promise])
      return { client, url }
    }
    const endOthers = (timeout: number) => {
      isOver = true
      for (const client of clients) if (client !== chosen) void client.end({ timeout })
    }
    const opened = this.#firstOf(attempt).then(
      (found) => {
        if (isOver) throw new NoPrimaryError('not needed any more')
        chosen = found.client
        endOthers(PATIENCE_SECONDS)
        this.#urls = [found.url, ...this.#urls.filter((url) => url !== found.url)]
        return found
      },
      () => {
        endOthers(PATIENCE_SECONDS)
        throw new NoPrimaryError('no server takes writes')
      },
    )
    return { opened, abandon: () => endOthers(0) }
  }

  async #firstOf<T>(attempt: (url: string) => Promise<T>): Promise<T> {
    const [last = '', ...others] = this.#urls
    const first = attempt(last)
    const start = Promise.withResolvers<void>()
    const timer = setTimeout(start.resolve, HEAD_START_MS)
    first.catch(start.resolve)
    const later = others.map((url) => start.promise.then(() => attempt(url)))
    try {
      return await Promise.any([first, ...later])
    } finally {
      clearTimeout(timer)
      start.resolve()
    }
  }

  /** @throws {NoPrimaryError} for a standby, and for a primary of a timeline that another server has left. */
  async #refuseOther(client: Sql): Promise<void> {
    const [row] =
      await client.unsafe<{ system: string; is_read_only: boolean; timeline: number | null }[]>(STATE)
    if (!row || row.is_read_only || row.timeline === null)
      throw new NoPrimaryError('the server takes no writes')
    const { system, timeline } = row
    const isSame = system === this.#met.system
    if (isSame && timeline < this.#met.timeline) throw new NoPrimaryError('another server was promoted')
    const isPromoted = isSame && timeline > this.#met.timeline
    this.#met = { system, timeline }
    if (isPromoted) this.#onPromoted()
  }
}

/** Opens a connection to a server that is the only one, whatever it takes. */
export function openAny(url: string, door: Door, onclose: () => void): OpeningConnection {
  const client = door(url, onclose)
  return {
    opened: Promise.resolve(client.unsafe('select')).then(() => ({ client, url })),
    abandon: () => void client.end({ timeout: 0 }),
  }
}

const LIMIT_MS = 10_000

const looking: Door = (url, onclose) =>
  postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {}, onclose })

/** The URL of the server that takes writes, among those that a database URL names. @throws {NoPrimaryError} */
export async function primaryOf(url: string): Promise<string> {
  if (!wantsPrimary(url)) return url
  const opening = new Servers(url).open(looking, () => {})
  const timer = setTimeout(() => opening.abandon(), LIMIT_MS)
  try {
    const found = await opening.opened
    await found.client.end({ timeout: 1 })
    return found.url
  } finally {
    clearTimeout(timer)
  }
}
