import { beforeAll, describe, expect, test } from 'bun:test'
import { passkeys } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const USERS = '/api/admin/users'
const h = useHarness()
let admin: Actor
beforeAll(async () => {
  admin = await h.signedIn({ role: 'admin', username: 'Root', email: 'root@example.org' })
})

const read = async (query = '') => (await admin.request('GET', `${USERS}${query}`)).body
const names = async (query: string) =>
  (await read(query)).users.map(({ username }: { username: string }) => username)

describe('GET /api/admin/users', () => {
  test('shows every field of a user, and nothing more', async () => {
    const now = h.clock.now()
    const ada = await h.user({
      username: 'Ada',
      email: 'Ada@Example.org',
      lastLoginAt: now,
      lockedUntil: addMinutes(now, 10),
      mfaLockedUntil: addMinutes(now, 20),
      mfaRequired: true,
      passwordlessEnabled: true,
      mustChangePassword: true,
    })
    await h.db.insert(passkeys).values(
      ['one', 'two'].map((credentialId) => ({
        userId: ada.id,
        name: credentialId,
        credentialId,
        publicKey: new Uint8Array([1]),
        signCount: 0,
        transports: [],
        deviceType: 'singleDevice' as const,
        backedUp: false,
        createdAt: now,
      })),
    )
    expect(await read('?q=ada')).toEqual({
      users: [
        {
          id: ada.id,
          username: 'Ada',
          email: 'Ada@Example.org',
          role: 'standard',
          is_active: true,
          last_login_at: '2026-03-04T10:30:00+01:00',
          locked_until: '2026-03-04T10:50:00+01:00',
          totp_enabled: false,
          passwordless_enabled: true,
          mfa_required: true,
          mfa_enforce_pending: true,
          must_change_password: true,
          passkey_count: 2,
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
      ],
      total: 1,
      next_cursor: null,
    })
  })

  test('shows a lock only while it holds', async () => {
    const now = h.clock.now()
    await h.user({ username: 'unlocked-one', lockedUntil: now })
    await h.user({ username: 'locked-one', lockedUntil: addMinutes(now, 5), mfaLockedUntil: now })
    const { users } = await read('?q=locked-one')
    expect(users).toMatchObject([{ locked_until: null }, { locked_until: '2026-03-04T10:35:00+01:00' }])
  })

  test('finds part of a username or an e-mail address, literally and without regard to case', async () => {
    await h.user({ username: 'under_score', email: 'percent%sign@example.org' })
    await h.user({ username: 'underXscore', email: null })
    expect(await names('?q=UNDER_S')).toEqual(['under_score'])
    expect(await names('?q=der')).toEqual(['under_score', 'underXscore'])
    expect(await names('?q=T%25S')).toEqual(['under_score'])
    expect(await names('?q=%25')).toEqual(['under_score'])
    expect(await names('?q=ROOT%40')).toEqual(['Root'])
    for (const q of ['%5C', "'", '%5C_', '*', '_%25']) expect(await names(`?q=${q}`)).toEqual([])
    expect((await read('?q=')).total).toBe((await read()).total)
  })

  test('filters by role and by whether the account is active', async () => {
    await h.user({ username: 'retired-admin', role: 'admin', isActive: false })
    expect(await names('?role=admin')).toEqual(['Root', 'retired-admin'])
    expect(await names('?role=admin&is_active=true')).toEqual(['Root'])
    expect(await names('?is_active=false')).toEqual(['retired-admin'])
    expect(await names('?role=standard&is_active=false')).toEqual([])
  })

  test.each([
    ['is_active=1', 'is_active: must be true or false'],
    ['is_active=TRUE', 'is_active: must be true or false'],
    ['role=owner', 'role: must be one of admin, standard'],
    ['limit=0', 'limit: must be a whole number from 1 to 200'],
    ['limit=201', 'limit: must be a whole number from 1 to 200'],
    ['cursor=x', 'cursor: is not valid'],
    [`cursor=${btoa('["1"]')}`, 'cursor: is not valid'],
    [`cursor=${btoa('[0]').replaceAll('=', '')}`, 'cursor: is not valid'],
    ['q=%00', 'q: must not contain U+0000 or lone surrogates'],
  ])('refuses %s', async (query, detail) => {
    const { status, body } = await admin.request('GET', `${USERS}?${query}`)
    expect([status, body.detail]).toEqual([422, detail])
  })

  test('pages by id under the same total, through what comes meanwhile', async () => {
    for (let i = 0; i < 7; i++) await h.user({ username: `page-${i}` })
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const answer = await read(`?q=page-&limit=3${cursor}`)
      seen.push(...answer.users.map(({ username }: { username: string }) => username))
      expect(answer.total).toBe(7 + page)
      cursor = `&cursor=${answer.next_cursor}`
      if (answer.next_cursor === null) break
      await h.user({ username: `page-later-${page}` })
    }
    expect(seen).toEqual([
      ...Array.from({ length: 7 }, (_, i) => `page-${i}`),
      'page-later-0',
      'page-later-1',
    ])
  })
})
