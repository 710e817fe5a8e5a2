import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, calendars, settings, users } from '../../../../src/db/schema'
import { login, userOf } from '../../../support/accounts'
import { type Actor, PASSWORD } from '../../../support/harness'
import { lastAudit, USERS } from './acting'
import { raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const create = (body: object) =>
  admin.request('POST', USERS, { body: { username: 'Ada', password: PASSWORD, ...body } })

describe('POST /api/admin/users', () => {
  test('makes a user with settings and both calendars, who can sign in', async () => {
    const { status, body } = await create({})
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        username: 'Ada',
        email: null,
        role: 'standard',
        is_active: true,
        last_login_at: null,
        locked_until: null,
        totp_enabled: false,
        passwordless_enabled: false,
        mfa_required: false,
        mfa_enforce_pending: false,
        must_change_password: false,
        passkey_count: 0,
        token_count: 0,
        counts: {
          calendars: 2,
          feeds: 0,
          events: 0,
          event_templates: 0,
          todo_lists: 1,
          todos: 0,
          reminders: 0,
          projects: 0,
          tasks: 0,
          comments: 0,
          people: 0,
          address_books: 1,
          occurrences: 0,
          responses: 0,
        },
        created_at: '2026-03-04T10:30:00+01:00',
      },
    ])
    const made = await userOf(h, body.id)
    expect(made).toMatchObject({ networkName: 'ada', dateOfBirth: null })
    expect(made.lastPasswordChangeAt).toEqual(h.clock.now())
    expect(await h.db.$count(settings, eq(settings.userId, body.id))).toBe(1)
    const owned = await h.db.select().from(calendars).where(eq(calendars.userId, body.id))
    expect(owned.map(({ name }) => name).toSorted()).toEqual(['Birthdays', 'Personal'])
    expect((await login(h, 'ada')).body).toEqual({ authenticated: true })
  })

  test('takes every field that it names', async () => {
    const { body } = await create({
      role: 'admin',
      email: ' ada@example.org ',
      date_of_birth: '1915-12-10',
      network_name: 'Countess',
      must_change_password: true,
    })
    expect(body).toMatchObject({ role: 'admin', email: 'ada@example.org', must_change_password: true })
    expect(await userOf(h, body.id)).toMatchObject({
      networkName: 'countess',
      dateOfBirth: '1915-12-10',
      temporaryPasswordExpiresAt: null,
    })
    expect((await login(h, 'ada')).body).toEqual({ authenticated: true, must_change_password: true })
  })

  test('takes a password of twelve characters', async () => {
    const password = PASSWORD.slice(0, 12)
    expect((await create({ password })).status).toBe(201)
    expect((await login(h, 'ada', password)).body).toEqual({ authenticated: true })
  })

  test('is audited without the password', async () => {
    const { body } = await create({})
    expect(await lastAudit(h)).toEqual({
      action: 'admin.user_created',
      actorId: admin.row.id,
      detail: { user_id: body.id, username: 'Ada', role: 'standard' },
      ip: '203.0.113.7',
    })
  })

  test('works while registration is closed, and asks no second factor that registration would', async () => {
    await admin.request('PUT', '/api/admin/config', { body: { enforce_mfa_new_users: true } })
    expect((await create({})).body).toMatchObject({ mfa_required: false, mfa_enforce_pending: false })
  })

  test.each([
    ['a taken username', { username: 'TAKEN' }],
    ['a taken e-mail address', { email: 'TAKEN@example.org' }],
    ['a taken network name', { network_name: 'Handle' }],
  ])('refuses %s and leaves nothing behind', async (_, body) => {
    await h.user({ username: 'taken', email: 'taken@example.org', networkName: 'handle' })
    const refused = await create(body)
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'Username, email or network name already exists' },
    ])
    for (const table of [users, settings]) expect(await h.db.$count(table)).toBe(2)
    expect(await h.db.$count(auditLog)).toBe(0)
  })

  test.each([
    ['password: must be at least 12 characters', { password: PASSWORD.slice(0, 11) }],
    ['password: is too common', { password: 'password1234' }],
    ['password: must not contain the username', { password: 'it is ADA who came' }],
    ['username: must be at least 3 characters', { username: 'a' }],
    ['date_of_birth: must not be in the future', { date_of_birth: '2026-03-05' }],
    ['role: must be one of admin, standard', { role: 'owner' }],
    ['must_change_password: must be true or false', { must_change_password: 'true' }],
    ['is_active: is not a known field', { is_active: false }],
    ['preferred_name: is not a known field', { preferred_name: 'Ada' }],
  ])('says "%s"', async (detail, body) => {
    const refused = await create(body)
    expect([refused.status, refused.body.detail]).toEqual([422, detail])
    expect(await h.db.$count(users)).toBe(1)
  })

  test('finds another network name where the username is taken as one, also for many at once', async () => {
    await h.user({ username: 'someone', networkName: 'ada' })
    expect(await userOf(h, (await create({})).body.id)).toMatchObject({ networkName: 'ada2' })
    const names = ['Bob', 'Carl', 'Dora']
    for (const name of names) await h.user({ username: `x${name}`, networkName: name.toLowerCase() })
    const answers = await Promise.all(names.map((username) => create({ username })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  })

  test('Of twenty equal users that are created at once one is made', async () => {
    const answers = await raceOf(20, () => create({}))
    const statuses = statusesOf(answers)
    expect(statuses).toEqual([201, ...Array(19).fill(409)])
    for (const table of [users, settings]) expect(await h.db.$count(table)).toBe(2)
    expect(await h.db.$count(auditLog)).toBe(1)
  })
})
