import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export const resolveHost: Resolve = (host) => lookup(host, { all: true })

/** The addresses of the URL's host, which may be an address itself: URL has already normalised its spelling. */
export async function addressesOf({ hostname }: URL, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family === 0 ? await resolve(hostname) : [{ address, family }]
}

/** Rejects once the signal aborts: resolving a name cannot be aborted. */
export const rejectedBy = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
