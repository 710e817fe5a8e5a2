import { expect, test } from 'bun:test'
import { phoneOf, sendDav } from '../support/dav'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { TRUSTED_PROXIES: '10.0.0.0/8' } })

test('app passwords are refused over plain http, but for this machine and behind a proxy that says https', async () => {
  const phone = await phoneOf(h, await h.signedIn())
  const ask = async (peer: string | undefined, proto?: string) => {
    h.peer.address = peer
    const { status } = await sendDav(h, 'PROPFIND', '/dav/', {
      headers: {
        depth: '0',
        authorization: phone.authorization,
        ...(proto && { 'x-forwarded-proto': proto }),
      },
    })
    return status
  }
  expect(await ask('203.0.113.7')).toBe(403)
  expect(await ask('203.0.113.7', 'https')).toBe(403)
  expect(await ask('192.168.1.4', 'https')).toBe(403)
  expect(await ask('10.0.0.1', 'http')).toBe(403)
  expect(await ask('10.0.0.1')).toBe(403)
  expect(await ask('10.0.0.1', 'https')).toBe(207)
  expect(await ask('127.0.0.1')).toBe(207)
  expect(await ask('::1')).toBe(207)
  // By a socket of this machine.
  expect(await ask(undefined)).toBe(207)
})
