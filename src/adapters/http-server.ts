import type { Clock } from '../lib/ports/clock'

export type Handler = (request: Request) => Response | Promise<Response>

interface Listen {
  readonly hostname: string
  /** The server takes the first free port. */
  readonly ports: readonly number[]
  readonly handle: Handler
  /** The response when `handle` itself fails. */
  readonly failed: () => Response
}

/** An idle connection is closed after this many seconds; longer than any request may take. */
const IDLE_TIMEOUT_SECONDS = 30

/** Listens on the first free port. @throws {Error} in one sentence when there is none. */
export function listen({ hostname, ports, handle, failed }: Listen) {
  for (const port of ports) {
    try {
      return Bun.serve({
        port,
        hostname,
        idleTimeout: IDLE_TIMEOUT_SECONDS,
        // The app limits bodies itself, with a response that clients can read.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        fetch: handle,
        error: failed,
      })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== 'EADDRINUSE')
        throw new Error(`Cannot listen on ${hostname} port ${port}: ${String(code ?? error)}.`, {
          cause: error,
        })
    }
  }
  throw new Error(`Cannot listen on ${hostname}: port ${ports.join(', ')} in use; set PORT to another one.`)
}

/** For this long, a stopping server still answers, with responses that tell clients to close their connections. */
const RETIRE_MS = 500
/**
 * Later requests wait until the server has closed. Once none has come for this long, clients are waiting for responses and send
 * nothing more.
 */
const QUIET_MS = 50
/** After half of this time a shorter gap is enough, as busy clients also leave gaps. */
const MAX_HOLD_MS = 500
const GAP_MS = 5

/**
 * Closes a server behind a proxy that does not know of the shutdown. Bun resets a connection whose request is still on its way,
 * and a proxy must not repeat a request that changes something. From now on use `handle` for requests; `closed` resolves once all
 * are answered.
 */
export function retire(server: ReturnType<typeof listen>, answer: Handler, clock: Clock) {
  const listening = Promise.withResolvers<void>()
  let [isHolding, lastCame] = [false, 0]
  const handle: Handler = async (request) => {
    lastCame = clock.monotonic()
    if (isHolding) await listening.promise
    return answer(request)
  }
  const close = async () => {
    await clock.sleep(RETIRE_MS)
    isHolding = true
    const since = clock.monotonic()
    const isQuiet = () => {
      const now = clock.monotonic()
      return now - lastCame >= (now - since < MAX_HOLD_MS / 2 ? QUIET_MS : GAP_MS)
    }
    do await clock.sleep(GAP_MS)
    while (!isQuiet() && clock.monotonic() - since < MAX_HOLD_MS)
    const closed = server.stop()
    listening.resolve()
    await closed
  }
  return { handle, closed: close() }
}
