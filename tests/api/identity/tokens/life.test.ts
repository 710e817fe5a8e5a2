import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createApp } from '../../../../src/app'
import { accessTokens, auditLog } from '../../../../src/db/schema'
import { auditOf, NEW_PASSWORD } from '../../../support/accounts'
import { type Actor, PASSWORD } from '../../../support/harness'
import { raceOf } from '../../../support/racing'
import { createToken, insertToken, programOf, TOKENS } from '../../../support/tokens'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
let admin: Actor
beforeAll(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const countOf = (actor: Actor) => h.db.$count(accessTokens, eq(accessTokens.userId, actor.row.id))
const revocationsOf = async (actor: Actor) =>
  (await auditOf(h, actor.row.id)).filter(({ action }) => action === 'auth.token_revoked')
const works = async (token: string) => (await programOf(h, token)('GET', '/api/todos')).status === 200

/** Somebody with a token that lives, one that has expired, and somebody else's beside. */
async function withTokens() {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const { token } = await createToken(ada, ['tasks:read'])
  await insertToken(h, ada.row.id, { expiresAt: h.clock.now() })
  const { token: other } = await createToken(bob, ['tasks:read'])
  expect([await works(token), await works(other)]).toEqual([true, true])
  return { ada, bob, token, other }
}

const change = { old_password: PASSWORD, new_password: NEW_PASSWORD }

describe('a change of password', () => {
  test('keeps the tokens', async () => {
    const { ada, token } = await withTokens()
    expect((await ada.request('POST', '/api/auth/change-password', { body: change })).status).toBe(200)
    expect(await works(token)).toBe(true)
  })

  test('revokes them where it is asked to, and says so in the audit log', async () => {
    const { ada, token, other } = await withTokens()
    const body = { ...change, revoke_tokens: true }
    expect((await ada.request('POST', '/api/auth/change-password', { body })).status).toBe(200)
    expect([await works(token), await works(other), await countOf(ada)]).toEqual([false, true, 0])
    expect(await revocationsOf(ada)).toMatchObject([{ detail: { name: 'Script', scopes: ['tasks:read'] } }])
  })
})

describe('ending all other sessions', () => {
  test('keeps the tokens, unless everything is to end', async () => {
    const { ada, token, other } = await withTokens()
    await ada.request('DELETE', '/api/auth/sessions')
    expect(await works(token)).toBe(true)
    const { body } = await ada.request('DELETE', '/api/auth/sessions', { body: { everything: true } })
    expect(body).toMatchObject({ tokens_revoked: 1 })
    expect([await works(token), await works(other)]).toEqual([false, true])
    expect(await revocationsOf(ada)).toHaveLength(1)
  })
})

describe('an administrator', () => {
  const USERS = '/api/admin/users'

  test('revokes the tokens with a reset of the password, and with a deactivation', async () => {
    for (const [method, path, body] of [
      ['POST', 'reset-password', undefined],
      ['PUT', 'active', { is_active: false }],
    ] as const) {
      const { ada, token, other } = await withTokens()
      const answered = await admin.request(method, `${USERS}/${ada.row.id}/${path}`, { body })
      expect(answered.status).toBe(200)
      expect([await works(token), await works(other), await countOf(ada)]).toEqual([false, true, 0])
      expect((await revocationsOf(admin)).at(-1)).toMatchObject({ detail: { scopes: ['tasks:read'] } })
    }
  })

  test('revokes the tokens of a user, of whom nothing else ends', async () => {
    const { ada, token, other } = await withTokens()
    const { status, body } = await admin.request('DELETE', `${USERS}/${ada.row.id}/tokens`)
    expect([status, body]).toEqual([200, { message: 'Access tokens revoked', revoked: 1 }])
    expect([await works(token), await works(other), await countOf(ada)]).toEqual([false, true, 0])
    expect((await ada.request('GET', '/api/todos')).status).toBe(200)
    expect((await auditOf(h, admin.row.id)).at(-1)).toMatchObject({
      action: 'admin.tokens_revoked',
      detail: { user_id: ada.row.id, username: ada.row.username },
    })
    const missing = await admin.request('DELETE', `${USERS}/2147483647/tokens`)
    expect([missing.status, missing.body]).toEqual([404, { detail: 'User not found' }])
  })

  test('sees how many tokens of a user live, and none of them', async () => {
    const { ada, token } = await withTokens()
    const detail = (await admin.request('GET', `${USERS}/${ada.row.id}`)).body
    const listed = (await admin.request('GET', `${USERS}?q=${ada.row.username}`)).body
    expect(detail.token_count).toBe(1)
    expect(listed.users[0].token_count).toBe(1)
    expect(JSON.stringify([detail, listed])).not.toContain(token.slice(4, 12))
  })
})

test('deleting the account deletes its tokens', async () => {
  const { ada, token } = await withTokens()
  const body = { password: PASSWORD }
  expect((await ada.request('DELETE', '/api/auth/account', { body })).status).toBe(204)
  expect([await works(token), await countOf(ada)]).toEqual([false, 0])
})

test('a revocation holds at once on an instance that has let the token in before', async () => {
  const { ada, token } = await withTokens()
  const other = createApp(h.deps)
  const there = () =>
    other.fetch(new Request('http://localhost/api/todos', { headers: { authorization: `Bearer ${token}` } }))
  expect((await there()).status).toBe(200)
  const [{ id }] = (await ada.request('GET', TOKENS)).body.tokens.slice(-1)
  await ada.request('DELETE', `${TOKENS}/${id}`)
  expect((await there()).status).toBe(401)
})

test('of many revocations of one token at once one is told, and nothing is written after it was', async () => {
  for (let round = 0; round < 10; round++) {
    const ada = await h.signedIn()
    const { id, token } = await createToken(ada, ['tasks:write'])
    const program = programOf(h, token)
    let countAfter: number | undefined
    const [first] = await Promise.all([
      raceOf(3, async () => {
        const answer = await ada.request('DELETE', `${TOKENS}/${id}`)
        if (answer.status === 204) countAfter = (await ada.request('GET', '/api/todos')).body.todos.length
        return answer
      }),
      raceOf(12, (i) => program('POST', '/api/todos', { body: { title: `${i}` } })),
    ])
    expect(first.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404])
    expect((await ada.request('GET', '/api/todos')).body.todos).toHaveLength(countAfter ?? -1)
    expect(await h.db.$count(auditLog, eq(auditLog.actorId, ada.row.id))).toBe(2)
  }
})
