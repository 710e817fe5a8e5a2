import type { Deps } from '../deps'
import type { Caller } from '../access/sessions/service'
import { commaList } from '../lib/wire/parse'
import { cut } from '../lib/text'
import type { Caller as LineCaller } from './lines'
import { contextOf } from './request-context'

const MAX_IP_LENGTH = 45
const MAX_USER_AGENT_LENGTH = 255

type Network = Pick<Deps, 'peerAddress' | 'ipRanges' | 'config'>

/** Returns the peer of the connection, and whether `TRUSTED_PROXIES` contains it. */
export function peerOf({ peerAddress, ipRanges, config }: Network, request: Request) {
  const peer = peerAddress(contextOf(request)?.incoming ?? request)
  return { peer, isTrusted: peer !== undefined && ipRanges.contains(config.http.trustedProxies, peer) }
}

/**
 * Returns the peer's address or, when the peer is a trusted proxy, the right-most untrusted entry of `X-Forwarded-For`
 * (contract: http.client-address). The client itself may have written everything further left.
 */
export function clientAddress(network: Network, request: Request): string {
  const { ipRanges, config } = network
  const { peer, isTrusted: isProxy } = peerOf(network, request)
  if (peer === undefined) return 'unknown'
  if (!isProxy) return peer
  const isTrusted = (ip: string) => ipRanges.contains(config.http.trustedProxies, ip)
  const forwarded = commaList(request.headers.get('x-forwarded-for') ?? '')
  const client = forwarded.findLast((entry) => !isTrusted(ipRanges.parse(entry) ?? entry))
  return client === undefined ? peer : (ipRanges.parse(client) ?? client)
}

export function requestOrigin(deps: Network, request: Request): Caller {
  const userAgent = request.headers.get('user-agent')
  return {
    ip: cut(clientAddress(deps, request), MAX_IP_LENGTH),
    userAgent: userAgent === null ? null : cut(userAgent, MAX_USER_AGENT_LENGTH),
  }
}

/** Number of clients that a shared address counts for. */
const SHARING_CLIENTS = 8

/**
 * The lines of a request without a session, the narrowest first: one for each network of the client's address. A local
 * address often belongs to a gateway; its clients are told apart by `X-Forwarded-For`, and without that header they
 * share a wider line.
 */
export function linesOf(network: Network, request: Request): LineCaller[] {
  const { ipRanges } = network
  const address = clientAddress(network, request)
  const peerKey = `address ${ipRanges.clientNetworks(address)[0].key}`
  if (!ipRanges.isLocal(address) || peerOf(network, request).isTrusted) {
    return ipRanges.clientNetworks(address).map((one) => ({ ...one, key: `address ${one.key}` }))
  }
  const through = commaList(request.headers.get('x-forwarded-for') ?? '').at(-1)
  if (through === undefined) return [{ key: peerKey, clients: SHARING_CLIENTS }]
  const networks = ipRanges.clientNetworks(ipRanges.parse(through) ?? through)
  return networks.map((one) => ({ ...one, key: `${peerKey} ${one.key}` }))
}
