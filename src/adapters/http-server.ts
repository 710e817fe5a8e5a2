type Handler = (request: Request) => Response | Promise<Response>

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
