import { beforeEach, describe, expect, test } from 'bun:test'
import { auditLog, systemConfig } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const CONFIG = '/api/admin/config'
const OFF = { allow_registration: false, enforce_mfa_new_users: false, allow_passwordless: false }

const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const read = () => admin.request('GET', CONFIG)
const change = (body: unknown) => admin.request('PUT', CONFIG, { body })

describe('the system configuration', () => {
  test('is all off while there is none', async () => {
    expect(await read()).toMatchObject({ status: 200, body: OFF })
    expect(await h.db.$count(systemConfig)).toBe(0)
  })

  test('is made by the first change and changed by the next, field by field', async () => {
    expect(await change({ allow_registration: true })).toMatchObject({
      status: 200,
      body: { ...OFF, allow_registration: true },
    })
    const both = { ...OFF, allow_registration: true, allow_passwordless: true }
    expect((await change({ allow_passwordless: true })).body).toEqual(both)
    expect((await read()).body).toEqual(both)
    expect(await h.db.select().from(systemConfig)).toMatchObject([{ id: 1 }])
  })

  test('opens and closes registration at once', async () => {
    h.peer.address = '127.0.0.1'
    const register = (username: string) =>
      h.request('POST', '/api/auth/register', {
        body: {
          username,
          password: 'correct horse battery',
          email: `${username}@example.com`,
          date_of_birth: '1990-01-01',
        },
      })
    await change({ allow_registration: true })
    expect((await register('first')).status).toBe(200)
    await change({ allow_registration: false })
    expect((await register('second')).status).toBe(403)
  })

  test('is audited with the given fields, also where nothing was left to change', async () => {
    await change({ allow_registration: true })
    await change({ allow_registration: true })
    const entry = {
      action: 'admin.config_updated',
      actorId: admin.row.id,
      detail: { allow_registration: true },
    }
    expect(await h.db.select().from(auditLog)).toMatchObject([entry, entry])
  })

  test.each([
    { why: 'an empty change', body: {}, detail: 'body: must name at least one field' },
    {
      why: 'an unknown field',
      body: { allow_registration: true, nonsense: 1 },
      detail: 'nonsense: is not a known field',
    },
    { why: 'only an unknown field', body: { __proto: true }, detail: '__proto: is not a known field' },
    { why: 'a number', body: { allow_registration: 1 }, detail: 'allow_registration: must be true or false' },
    {
      why: 'a text',
      body: { allow_registration: 'true' },
      detail: 'allow_registration: must be true or false',
    },
    { why: 'null', body: { allow_registration: null }, detail: 'allow_registration: must be true or false' },
  ])('refuses $why', async ({ body, detail }) => {
    const refused = await change(body)
    expect([refused.status, refused.body.detail]).toEqual([422, detail])
    expect([await h.db.$count(systemConfig), await h.db.$count(auditLog)]).toEqual([0, 0])
  })

  test('is for administrators only, whatever the body', async () => {
    const ada = await h.signedIn()
    for (const answered of [
      await ada.request('GET', CONFIG),
      await ada.request('PUT', CONFIG, { body: { allow_registration: true } }),
      await ada.request('PUT', CONFIG, { body: '{' }),
    ]) {
      expect([answered.status, answered.body]).toEqual([403, { detail: 'Insufficient permissions' }])
    }
    expect((await h.request('GET', CONFIG)).status).toBe(401)
  })

  test('Ten first changes at once make one row that holds them all', async () => {
    const fields = ['allow_registration', 'enforce_mfa_new_users', 'allow_passwordless']
    const answers = await raceOf(10, (i) => change({ [fields[i % 3] ?? '']: true }))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await read()).body).toEqual({
      allow_registration: true,
      enforce_mfa_new_users: true,
      allow_passwordless: true,
    })
  })
})
