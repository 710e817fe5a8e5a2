export interface IpRanges {
  readonly isCidr: (text: string) => boolean
  /** The address in `text`, without the brackets and the port that some proxies add; undefined when there is none. */
  parse(text: string): string | undefined
  /** Whether `ip` is in one of `cidrs`; false for a malformed address. */
  contains(cidrs: readonly string[], ip: string): boolean
  /** Whether `ip` is global unicast: not local, shared, reserved, or a tunnel to such an address (contract: push.addresses). */
  isGlobal(ip: string): boolean
  /** Loopback, private (RFC 1918, RFC 4193) and link-local addresses. */
  isLocal(ip: string): boolean
  /**
   * The networks in which a client can choose its address, the narrowest first: for IPv6 the /64, /56 and /48, for IPv4 (also
   * mapped) the address itself, and one shared network for everything else.
   */
  clientNetworks(ip: string): readonly [ClientNetwork, ...ClientNetwork[]]
}

/** A network of one client, or of several. */
export interface ClientNetwork {
  readonly key: string
  /** The number of clients that it counts as. */
  readonly clients: number
}

/** The address of the peer; undefined when there is no connection. */
export type PeerAddress = (request: Request) => string | undefined
