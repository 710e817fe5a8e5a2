import ipaddr from 'ipaddr.js'
import type { IpRanges } from '../lib/ports/network'

type Address = ReturnType<typeof ipaddr.process>

/** Parses an address, with IPv4-mapped IPv6 as IPv4; undefined when it is invalid. */
const parse = (text: string): Address | undefined => (ipaddr.isValid(text) ? ipaddr.process(text) : undefined)

/** All IPv6 addresses that IANA assigns. */
const GLOBAL_UNICAST = '2000::/3'
const LOCAL = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal'])

function inCidr(address: Address, cidr: string): boolean {
  const [range, bits] = ipaddr.parseCIDR(cidr)
  return range.kind() === address.kind() && address.match(range, bits)
}

export const ipRanges: IpRanges = {
  isCidr: (text) => ipaddr.isValidCIDR(text),
  contains: (cidrs, ip) => {
    const address = parse(ip)
    return address !== undefined && cidrs.some((cidr) => inCidr(address, cidr))
  },
  parse: (text) => {
    const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? []
    const [, dotted] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
    const address = bracketed ?? dotted ?? text
    return parse(address) && address
  },
  // ipaddr.js has names for all other ranges: private, shared (carrierGradeNat), mapped, NAT64 (rfc6052), 6to4 and so on.
  isGlobal: (ip) => {
    if (!ipaddr.isValid(ip)) return false
    const address = ipaddr.parse(ip)
    if (address.range() !== 'unicast') return false
    return address.kind() === 'ipv4' || inCidr(address, GLOBAL_UNICAST)
  },
  isLocal: (ip) => LOCAL.has(parse(ip)?.range() ?? ''),
  clientNetworks: (ip) => {
    const address = parse(ip)
    if (!address) return [{ key: 'unknown', clients: 1 }]
    if (address.kind() === 'ipv4') return [{ key: address.toString(), clients: 1 }]
    const network = (bytes: number) => new Uint8Array(address.toByteArray().slice(0, bytes)).toHex()
    return [
      { key: `${network(8)}/64`, clients: 1 },
      { key: `${network(7)}/56`, clients: 4 },
      { key: `${network(6)}/48`, clients: 16 },
    ]
  },
}
