import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { accessTokens, notifications } from '../../../../src/db/schema'
import { isTokenText } from '../../../../src/lib/access-tokens'
import { sha256Hex } from '../../../../src/lib/text'
import { purgeTokens } from '../../../../src/features/identity/tokens/service'
import { auditOf } from '../../../support/accounts'
import { raceOf, statusesOf } from '../../../support/racing'
import { createToken, programOf, TOKENS } from '../../../support/tokens'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
const rowOf = async (id: number) => (await h.db.select().from(accessTokens).where(eq(accessTokens.id, id)))[0]

describe('POST /api/auth/tokens', () => {
  test('shows the token this once, and keeps only its hash', async () => {
    const ada = await h.signedIn()
    const { status, body } = await ada.request('POST', TOKENS, {
      body: { name: ' Backup ', scopes: ['tasks:read', 'calendars:write', 'tasks:read'] },
    })
    const { token, ...shown } = body
    expect(status).toBe(201)
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'Backup',
      scopes: ['tasks:read', 'calendars:write'],
      prefix: token.slice(4, 12),
      created_at: '2026-03-04T10:30:00+01:00',
      expires_at: '2027-03-04T10:30:00+01:00',
      last_used_at: null,
      last_used_ip: null,
    })
    expect(isTokenText(token)).toBe(true)
    const row = await rowOf(body.id)
    expect(row?.tokenHash).toBe(await sha256Hex(token))
    expect(JSON.stringify(row)).not.toContain(token.slice(12))
    expect((await ada.request('GET', TOKENS)).body).toEqual({ tokens: [shown] })
  })

  test('is audited, and told to its user', async () => {
    const ada = await h.signedIn()
    const { id, token } = await createToken(ada, ['people:read'], { name: 'Phone' })
    expect(await auditOf(h, ada.row.id)).toEqual([
      {
        action: 'auth.token_created',
        detail: { token_id: id, name: 'Phone', scopes: ['people:read'] },
        ip: '203.0.113.7',
      },
    ])
    const [told, ...more] = (await ada.request('GET', '/api/notifications?type=security')).body.notifications
    expect(more).toEqual([])
    expect(told).toMatchObject({ title: 'Your account has a new access token', data: { token_id: id } })
    expect(told.message).toContain('"Phone"')
    expect(JSON.stringify(told)).not.toContain(token.slice(4))
  })

  test('lets a token live as long as it is asked to, also for ever', async () => {
    const ada = await h.signedIn()
    expect(await createToken(ada, undefined, { expires_in_days: 1 })).toMatchObject({
      expires_at: '2026-03-05T10:30:00+01:00',
    })
    expect(await createToken(ada, undefined, { expires_in_days: null })).toMatchObject({ expires_at: null })
  })

  test('says where an app password is to be used', async () => {
    const ada = await h.signedIn()
    expect(await createToken(ada, ['dav', 'tasks:read'])).toMatchObject({
      dav_url: `${h.deps.config.http.publicUrl}/dav/`,
    })
    expect('dav_url' in (await createToken(ada))).toBe(false)
  })

  test.each([
    ['no scopes', { scopes: [] }],
    ['a scope that there is not', { scopes: ['tasks:delete'] }],
    ['dav alone', { scopes: ['dav'] }],
    ['dav without an area', { scopes: ['dav', 'overview:read', 'mcp'] }],
    ['mcp alone', { scopes: ['mcp'] }],
    ['an empty name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['less than a day', { expires_in_days: 0 }],
    ['more than ten years', { expires_in_days: 3651 }],
    ['half a day', { expires_in_days: 1.5 }],
  ])('refuses %s', async (_, wrong) => {
    const ada = await h.signedIn()
    const body = { name: 'Script', scopes: ['tasks:read'], ...wrong }
    expect((await ada.request('POST', TOKENS, { body })).status).toBe(422)
    expect(await h.db.$count(accessTokens)).toBe(0)
    expect(await h.db.$count(notifications)).toBe(0)
  })

  test('asks for recent authentication', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ minutes: 15 })
    const { status, body } = await ada.request('POST', TOKENS, { body: { name: 'x', scopes: ['mcp'] } })
    expect([status, body.code]).toEqual([403, 'reauthentication_required'])
  })

  test('refuses the hundred and first live one, however many are made at once', async () => {
    const ada = await h.signedIn()
    await createToken(ada, undefined, { expires_in_days: 1 })
    h.clock.advance({ days: 1 })
    const { token } = await h.session(ada.row.id)
    const make = () =>
      h.request('POST', TOKENS, { cookie: token, body: { name: 'x', scopes: ['tasks:read'] } })
    for (let made = 0; made < 92; made++) expect((await make()).status).toBe(201)
    const raced = await raceOf(20, make)
    expect(statusesOf(raced)).toEqual([...Array(8).fill(201), ...Array(12).fill(409)])
    expect((await make()).body).toEqual({ detail: 'You have too many access tokens' })
  })
})

describe('GET /api/auth/tokens', () => {
  test('lists the own ones, the newest first, and expired ones for another 30 days', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await createToken(bob)
    const old = await createToken(ada, undefined, { expires_in_days: 1 })
    const young = await createToken(ada, undefined, { expires_in_days: null })
    const listed = async () => {
      const { token: cookie } = await h.session(ada.row.id)
      return (await h.request('GET', TOKENS, { cookie })).body.tokens.map(({ id }: { id: number }) => id)
    }
    h.clock.advance({ days: 31 })
    await purgeTokens(h.deps)
    expect(await listed()).toEqual([young.id, old.id])
    h.clock.advance({ seconds: 1 })
    await purgeTokens(h.deps)
    expect(await listed()).toEqual([young.id])
  })
})

describe('GET /api/auth/tokens/current', () => {
  test('is the token of the request, whatever its scopes', async () => {
    const ada = await h.signedIn()
    await createToken(ada)
    const { id, token } = await createToken(ada, ['notifications:write'])
    const { status, body } = await programOf(h, token)('GET', `${TOKENS}/current`)
    expect([status, body]).toMatchObject([200, { id, name: 'Script', scopes: ['notifications:write'] }])
    expect(JSON.stringify(body)).not.toContain(token.slice(12))
  })

  test('is nothing with a session', async () => {
    const ada = await h.signedIn()
    await createToken(ada)
    const { status, body } = await ada.request('GET', `${TOKENS}/current`)
    expect([status, body]).toEqual([404, { detail: 'Access token not found' }])
  })
})

describe('DELETE /api/auth/tokens/{id}', () => {
  test('revokes the token at once, and is audited', async () => {
    const ada = await h.signedIn()
    const { id, token } = await createToken(ada, ['tasks:read'])
    const program = programOf(h, token)
    expect((await program('GET', '/api/todos')).status).toBe(200)
    const { status, body } = await ada.request('DELETE', `${TOKENS}/${id}`)
    expect([status, body]).toEqual([204, ''])
    expect((await program('GET', '/api/todos')).status).toBe(401)
    expect(await rowOf(id)).toBeUndefined()
    expect((await auditOf(h, ada.row.id)).at(-1)).toMatchObject({
      action: 'auth.token_revoked',
      detail: { token_id: id, name: 'Script', scopes: ['tasks:read'] },
    })
  })

  test('does not find what is not there, or is somebody else’s', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    const { id, token } = await createToken(bob)
    for (const wrong of [id, id + 1, 0, 'current', 'x', 2 ** 31]) {
      const { status, body } = await ada.request('DELETE', `${TOKENS}/${wrong}`)
      expect([wrong, status, body]).toEqual([wrong, 404, { detail: 'Access token not found' }])
    }
    expect((await programOf(h, token)('GET', '/api/todos')).status).toBe(200)
  })
})
