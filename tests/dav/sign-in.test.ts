import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import { basic, DAV_SCOPES, phoneOf, propfindOf, sendDav } from '../support/dav'
import { startHarness } from '../support/harness'
import { createToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const WHO = propfindOf(['d:current-user-principal'])
const ask = (authorization?: string) =>
  sendDav(h, 'PROPFIND', '/dav/', {
    body: WHO,
    headers: { depth: '0', ...(authorization !== undefined && { authorization }) },
  })
const CHALLENGE = 'Basic realm="Organiser", charset="UTF-8"'

describe('an app password', () => {
  test('opens /dav by user name in any case and by e-mail, with spaces and hyphens that people type', async () => {
    const ada = await h.signedIn({ username: 'Ada.L', email: 'ada@example.org' })
    const { token } = await createToken(ada, DAV_SCOPES)
    const spelled = `${token.slice(0, 4).toUpperCase()} ${token.slice(4, 10)}-${token.slice(10)}`
    for (const user of ['Ada.L', 'ada.l', 'ADA@example.org'])
      for (const secret of [token, spelled]) expect((await ask(basic(user, secret))).status).toBe(207)
  })

  test('opens /dav however many spaces stand before it', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada, DAV_SCOPES)
    expect((await ask(basic(ada.row.username, token).replace(' ', '   '))).status).toBe(207)
  })

  test('opens /dav for a user name of one letter', async () => {
    const { token } = await createToken(await h.signedIn({ username: 'q' }), DAV_SCOPES)
    expect((await ask(basic('q', token))).status).toBe(207)
  })

  test('opens nothing on /api', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada, DAV_SCOPES)
    for (const path of ['/api/calendars', '/api/settings', '/api/todos', '/api/search?q=x']) {
      const { status } = await h.request('GET', path, { headers: { authorization: `Bearer ${token}` } })
      expect([path, status]).toEqual([path, 401])
    }
  })

  test('answers the same for whatever is wrong, and asks for Basic', async () => {
    h.peer.address = '127.0.0.1'
    const ada = await h.signedIn()
    const bob = await h.signedIn()
    const good = await createToken(ada, DAV_SCOPES)
    const plain = await createToken(ada, ['calendars:write'])
    const revoked = await createToken(ada, DAV_SCOPES)
    await ada.request('DELETE', `/api/auth/tokens/${revoked.id}`)
    const wrong = [
      undefined,
      'Basic',
      'Basic !!!',
      `Digest ${basic(ada.row.username, good.token)}`,
      `${basic(ada.row.username, good.token)} more`,
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Bearer ${good.token}`,
      basic(bob.row.username, good.token),
      basic('nobody', good.token),
      basic(ada.row.username, plain.token),
      basic(ada.row.username, revoked.token),
      basic(ada.row.username, 'correct horse battery'),
      basic(ada.row.username, ''),
    ]
    const answers = await Promise.all(wrong.map(ask))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers.get('www-authenticate')))).toEqual(
      new Set([CHALLENGE]),
    )
    h.peer.address = '203.0.113.7'
  })

  test('is not taken from a cookie, and no cookie counts', async () => {
    const ada = await h.signedIn()
    const { status } = await sendDav(h, 'PROPFIND', '/dav/', {
      headers: { depth: '0', cookie: `session=${ada.token}` },
    })
    expect(status).toBe(401)
  })

  test('ends with its revocation, with deactivation and while the password has to be changed, on the next request', async () => {
    const ada = await h.signedIn()
    const phone = await phoneOf(h, ada)
    const status = async () => (await ask(phone.authorization)).status
    expect(await status()).toBe(207)
    for (const columns of [{ isActive: false }, { mustChangePassword: true }]) {
      await h.db.update(users).set(columns).where(eq(users.id, ada.row.id))
      expect(await status()).toBe(401)
      await h.db
        .update(users)
        .set({ isActive: true, mustChangePassword: false })
        .where(eq(users.id, ada.row.id))
      expect(await status()).toBe(207)
    }
    await ada.request('DELETE', `/api/auth/tokens/${phone.tokenId}`)
    expect(await status()).toBe(401)
  })

  test('is shown with its last use, which is noted once a minute', async () => {
    const ada = await h.signedIn()
    const phone = await phoneOf(h, ada)
    await ask(phone.authorization)
    const used = async () => (await ada.request('GET', '/api/auth/tokens')).body.tokens[0].last_used_ip
    const usedFrom = async (ip: string) => {
      for (let attempt = 0; attempt < 100 && (await used()) !== ip; attempt++) await Bun.sleep(10)
      return used()
    }
    expect(await usedFrom('203.0.113.7')).toBe('203.0.113.7')
    h.clock.advance({ minutes: 1 })
    h.peer.address = '198.51.100.7'
    await ask(phone.authorization)
    expect(await usedFrom('198.51.100.7')).toBe('198.51.100.7')
    h.peer.address = '203.0.113.7'
  })
})

describe('wrong app passwords', () => {
  test('are answered 503 after twenty from one address, while a right one still passes', async () => {
    const ada = await h.signedIn()
    const phone = await phoneOf(h, ada)
    h.peer.address = '198.51.100.23'
    const statuses: number[] = []
    for (let attempt = 0; attempt < 25; attempt++)
      statuses.push((await ask(basic('ada', `org_${attempt}`))).status)
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(503)])
    const refused = await ask(basic('ada', 'org_x'))
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 46)
    expect((await ask(phone.authorization)).status).toBe(207)
    expect((await ask()).status).toBe(401)
    h.clock.advance({ minutes: 15 })
    expect((await ask(basic('ada', 'org_y'))).status).toBe(401)
    h.peer.address = '203.0.113.7'
  })

  test('from this machine are not limited', async () => {
    h.peer.address = '127.0.0.1'
    for (let attempt = 0; attempt < 25; attempt++)
      expect((await ask(basic('ada', `org_${attempt}`))).status).toBe(401)
    h.peer.address = '203.0.113.7'
  })

  test('that are none are refused, and count neither against the limit nor for the operator', async () => {
    let counted = 0
    const metrics = { ...h.deps.metrics, countWrongToken: () => void counted++ }
    await using counting = await startHarness({ env: { DAV_ALLOW_HTTP: 'on' }, deps: { metrics } })
    const encoded = (bytes: Buffer) => `Basic ${bytes.toString('base64')}`
    for (const authorization of [encoded(Buffer.from('no colon')), encoded(Buffer.from([0xff, 0x3a, 0x61]))])
      for (let attempt = 0; attempt < 25; attempt++) {
        const { status } = await sendDav(counting, 'PROPFIND', '/dav/', {
          body: WHO,
          headers: { depth: '0', authorization },
        })
        expect(status).toBe(401)
      }
    expect(counted).toBe(0)
  })

  test('are counted for the operator, right ones are not', async () => {
    let counted = 0
    const metrics = { ...h.deps.metrics, countWrongToken: () => void counted++ }
    await using counting = await startHarness({ env: { DAV_ALLOW_HTTP: 'on' }, deps: { metrics } })
    const phone = await phoneOf(counting, await counting.signedIn())
    const propfind = (authorization: string) =>
      sendDav(counting, 'PROPFIND', '/dav/', { body: WHO, headers: { depth: '0', authorization } })
    await propfind(basic('ada', 'org_x'))
    await propfind(phone.authorization)
    expect(counted).toBe(1)
  })
})
