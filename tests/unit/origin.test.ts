import { describe, expect, test } from 'bun:test'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { loadConfig } from '../../src/config'
import { requestOrigin } from '../../src/http/origin'

const config = loadConfig(
  { TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8:f::/48' },
  { timeZone: 'UTC', cores: 1, isCidr: (text) => ipRanges.isCidr(text) },
)

const origin = (peer: string | undefined, headers: Record<string, string> = {}) =>
  requestOrigin({ config, ipRanges, peerAddress: () => peer }, new Request('http://localhost/', { headers }))

describe('the client address', () => {
  test.each([
    { peer: '203.0.113.7', forwarded: undefined, ip: '203.0.113.7' },
    { peer: '203.0.113.7', forwarded: '198.51.100.1', ip: '203.0.113.7' },
    { peer: '10.1.2.3', forwarded: '198.51.100.1', ip: '198.51.100.1' },
    { peer: '10.1.2.3', forwarded: '6.6.6.6, 198.51.100.1', ip: '198.51.100.1' },
    { peer: '10.1.2.3', forwarded: '6.6.6.6, 198.51.100.1, 10.9.9.9', ip: '198.51.100.1' },
    { peer: '10.1.2.3', forwarded: '10.9.9.9', ip: '10.1.2.3' },
    { peer: '10.1.2.3', forwarded: undefined, ip: '10.1.2.3' },
    { peer: '10.1.2.3', forwarded: ' , ', ip: '10.1.2.3' },
    { peer: '::ffff:10.1.2.3', forwarded: '198.51.100.1', ip: '198.51.100.1' },
    { peer: '2001:db8:f::1', forwarded: '2001:db8::5', ip: '2001:db8::5' },
    { peer: '10.1.2.3', forwarded: '198.51.100.1:4711', ip: '198.51.100.1' },
    { peer: '10.1.2.3', forwarded: '[2001:db8::5]:4711', ip: '2001:db8::5' },
    { peer: '10.1.2.3', forwarded: '6.6.6.6, 10.9.9.9:80', ip: '6.6.6.6' },
    { peer: undefined, forwarded: '198.51.100.1', ip: 'unknown' },
  ])('of peer $peer that forwards $forwarded is $ip', ({ peer, forwarded, ip }) => {
    expect(origin(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }).ip).toBe(ip)
  })

  test('is cut to 45 characters, however long the proxy makes it', () => {
    expect(origin('10.1.2.3', { 'x-forwarded-for': 'x'.repeat(500) }).ip).toBe('x'.repeat(45))
  })
})

test('the user agent is cut to 255 characters, and null without one', () => {
  expect(origin('203.0.113.7', { 'user-agent': 'u'.repeat(300) }).userAgent).toBe('u'.repeat(255))
  expect(origin('203.0.113.7').userAgent).toBeNull()
})

test.each([
  { ip: '192.0.2.1', networks: ['192.0.2.1'] },
  { ip: '::ffff:192.0.2.1', networks: ['192.0.2.1'] },
  {
    ip: '2001:db8:1:234:5:6:7:8',
    networks: ['20010db800010234/64', '20010db8000102/56', '20010db80001/48'],
  },
  { ip: '2001:db8:1:234::9', networks: ['20010db800010234/64', '20010db8000102/56', '20010db80001/48'] },
  { ip: 'nonsense', networks: ['unknown'] },
])('the limits count $ip under $networks', ({ ip, networks }) => {
  expect(ipRanges.clientNetworks(ip).map(({ key }) => key)).toEqual([...networks])
})

test.each([
  { ip: '127.0.0.1', local: true },
  { ip: '::1', local: true },
  { ip: '172.16.5.5', local: true },
  { ip: 'fd00::1', local: true },
  { ip: '169.254.1.1', local: true },
  { ip: '::ffff:10.0.0.1', local: true },
  { ip: '8.8.8.8', local: false },
  { ip: '2001:db8::1', local: false },
  { ip: 'unknown', local: false },
])('$ip is local: $local', ({ ip, local }) => {
  expect(ipRanges.isLocal(ip)).toBe(local)
})
