import type { Clock } from '../lib/ports'

export type Handler = (request: Request) => Response | Promise<Response>

interface Listen {
  readonly hostname: string
  /** The first that is free is taken. */
  readonly ports: readonly number[]
  readonly handle: Handler
  /** The answer where handling itself failed. */
  readonly failed: () => Response
}

/** Seconds without a byte after which a connection is closed; longer than any request may take. */
const IDLE_TIMEOUT_SECONDS = 30

/** Serves on the first free port. @throws {Error} one sentence, where none can be had. */
export function listen({ hostname, ports, handle, failed }: Listen) {
  for (const port of ports) {
    try {
      return Bun.serve({
        port,
        hostname,
        idleTimeout: IDLE_TIMEOUT_SECONDS,
        // The app limits bodies itself, with an answer that clients can read.
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

/** How long a server that ends answers on, while its answers say that they are the last of their connections. */
const RETIRE_MS = 500
/** What comes then waits until it is closed: of clients that wait for their answers, soon none is left to come. */
const QUIET_MS = 50
/** After half of it a shorter gap will do, as there is between others too. */
const MAX_HOLD_MS = 500
const GAP_MS = 5

/**
 * Closes a server behind proxies that know nothing of it: Bun resets a connection whose request is still on its way, which a proxy
 * must not repeat where it changes something. `handle` is to answer from now on; `closed` resolves once all are answered.
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
