import { beforeAll, describe, expect, test } from 'bun:test'
import { auditLog } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { checksums } from '../../../support/checksum'
import { PASSWORD } from '../../../support/harness'
import { documentOf, operationsOf } from '../../../support/openapi'
import { lastAudit } from './acting'
import { useHarness } from '../../../support/use-harness'

/** What each mutation takes, and what the audit log calls it. */
const MUTATIONS: Readonly<
  Record<string, { body?: Record<string, unknown>; action: string; recent?: boolean }>
> = {
  createUser: {
    body: { username: 'newcomer', password: PASSWORD },
    action: 'admin.user_created',
  },
  changeUserRole: { body: { role: 'admin' }, action: 'admin.user_role_changed', recent: true },
  changeUserActive: { body: { is_active: false }, action: 'admin.user_deactivated' },
  resetUserPassword: { action: 'admin.user_password_reset', recent: true },
  unlockUser: { action: 'admin.user_unlocked' },
  enforceUserMfa: { body: { enforce: true }, action: 'admin.user_mfa_enforced' },
  disableUserMfa: { action: 'admin.user_mfa_disabled', recent: true },
  disableUserPasswordless: { body: { enabled: false }, action: 'admin.user_passwordless_disabled' },
  revokeUserSessions: { action: 'admin.user_sessions_revoked' },
  revokeUserTokens: { action: 'admin.tokens_revoked' },
  deleteUser: { action: 'admin.user_deleted', recent: true },
  changeConfig: { body: { allow_registration: true }, action: 'admin.config_updated' },
}

const h = useHarness()
let found: Array<{ id: string; method: string; path: string; isOmittable: boolean }>
beforeAll(async () => {
  found = operationsOf(await documentOf(h.app.fetch))
    .filter(({ path, method }) => path.startsWith('/api/admin/') && method !== 'GET')
    .map(({ path, method, operation }) => ({
      id: operation.operationId ?? '',
      method,
      path,
      isOmittable: operation.requestBody?.required === false,
    }))
})

const target = async (path: string) =>
  path.replace('{id}', String((await h.user({ username: nextName() })).id))
let serial = 0
const nextName = () => `target-${++serial}`
const entries = () => h.db.$count(auditLog)

/** The body with one unknown field, at the top and in every object within. */
function* withUnknown(value: Record<string, unknown>): Generator<Record<string, unknown>> {
  yield { ...value, nonsense: 1 }
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    for (const broken of withUnknown({ ...inner })) yield { ...value, [name]: broken }
  }
}

test('the table names every mutation of administrators, and no other', () => {
  expect(found.map(({ id }) => id).toSorted()).toEqual(Object.keys(MUTATIONS).toSorted())
})

describe.each(Object.entries(MUTATIONS))('%s', (id, { body, action, recent = false }) => {
  const operation = () => {
    const one = found.find((each) => each.id === id)
    if (!one) throw new Error(`no operation ${id}`)
    return one
  }
  const sent = body ? { body } : {}

  test('refuses unknown fields and changes nothing', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const { method, path } = operation()
    const url = await target(path)
    const checksum = await checksums(h.db)
    const before = await checksum()
    for (const broken of withUnknown(body ?? {})) {
      const { status, body: answer } = await admin.request(method, url, { body: broken })
      expect([status, answer.detail]).toEqual([422, 'nonsense: is not a known field'])
    }
    expect(await checksum()).toEqual(before)
  })

  test('refuses what is no JSON object', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const { method, path } = operation()
    const url = await target(path)
    const before = await entries()
    const send = async (text: string, type = 'application/json') =>
      (await admin.request(method, url, { body: text, headers: { 'content-type': type } })).status
    expect(await send('{')).toBe(400)
    expect(await send('{}', 'text/plain')).toBe(415)
    expect(await send('[]')).toBe(422)
    expect(await send('null')).toBe(422)
    expect(await entries()).toBe(before)
  })

  test('takes no body only where it needs none, and then an empty object too', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const { method, path, isOmittable } = operation()
    expect(isOmittable).toBe(body === undefined)
    const bare = await admin.request(method, await target(path))
    expect(bare.status).toBe(isOmittable ? 200 : 400)
    const json = { 'content-type': 'application/json' }
    const empty = await admin.request(method, await target(path), { headers: json })
    expect(empty.status).toBe(isOmittable ? 200 : 400)
    const object = await admin.request(method, await target(path), { body: {} })
    expect(object.status).toBe(isOmittable ? 200 : 422)
  })

  test('is for administrators only, whatever the body and however old their proof', async () => {
    const old = addMinutes(h.clock.now(), -16)
    const ada = await h.user()
    const cookie = (await h.session(ada.id, { authenticatedAt: old })).token
    const { method, path } = operation()
    const before = await entries()
    for (const request of [sent, { body: '{' }, { body: { nonsense: 1 } }]) {
      const url = await target(path)
      const refused = await h.request(method, url, { cookie, ...request })
      expect([refused.status, refused.body]).toEqual([403, { detail: 'Insufficient permissions' }])
      const anonymous = await h.request(method, url, request)
      expect([anonymous.status, anonymous.body]).toEqual([401, { detail: 'Not authenticated' }])
    }
    expect(await entries()).toBe(before)
  })

  test(recent ? 'asks for recent authentication' : 'asks for no recent authentication', async () => {
    const admin = await h.user({ role: 'admin' })
    const cookie = (await h.session(admin.id, { authenticatedAt: addMinutes(h.clock.now(), -15) })).token
    const { method, path } = operation()
    const url = await target(path)
    const unknown = await h.request(method, url, { cookie, body: { nonsense: 1 } })
    expect(unknown.status).toBe(recent ? 403 : 422)
    if (!recent) return
    expect(await h.request(method, url, { cookie, ...sent })).toMatchObject({
      status: 403,
      body: { detail: 'Recent authentication required', code: 'reauthentication_required' },
    })
  })

  test('is audited under its name once', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const { method, path } = operation()
    const before = await entries()
    const { status } = await admin.request(method, await target(path), sent)
    expect(status).toBe(id === 'createUser' ? 201 : 200)
    expect(await entries()).toBe(before + 1)
    expect(await lastAudit(h)).toMatchObject({ action, actorId: admin.row.id })
  })

  test('answers 404 for a user who is not there and for what is no id', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const { method, path } = operation()
    if (!path.includes('{id}')) return
    const before = await entries()
    for (const absent of ['2147483647', '0', 'x', '99999999999']) {
      const { status, body: answer } = await admin.request(method, path.replace('{id}', absent), sent)
      expect([absent, status, answer]).toEqual([absent, 404, { detail: 'User not found' }])
    }
    expect(await entries()).toBe(before)
  })
})
