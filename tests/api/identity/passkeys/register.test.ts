import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys, webauthnChallenges } from '../../../../src/db/schema'
import { actionsOf } from '../../../support/accounts'
import { Authenticator } from '../../../support/authenticator'
import { type Actor } from '../../../support/harness'
import { begin, PASSKEYS, register, signIn } from '../../../support/passkeys'
import { race, raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({
  env: { AUTH_RATE_LIMIT: 'off', WEBAUTHN_ORIGINS: 'http://localhost:3000,https://app.example' },
})

const passkeysOf = (userId: number) => h.db.select().from(passkeys).where(eq(passkeys.userId, userId))
const complete = (actor: Actor, credential: unknown, name?: unknown) =>
  actor.request('POST', `${PASSKEYS}/register/complete`, { body: { credential, name } })
const fill = (userId: number, howMany: number) =>
  h.db.insert(passkeys).values(
    Array.from({ length: howMany }, (_, i) => ({
      userId,
      name: `Key ${i}`,
      credentialId: `${userId}-${i}`,
      publicKey: new Uint8Array([1]),
      signCount: 0,
      transports: ['usb'],
      deviceType: 'singleDevice' as const,
      backedUp: false,
      createdAt: h.clock.now(),
    })),
  )

describe('POST /api/auth/passkeys/register/begin', () => {
  test('asks for a discoverable, verified, unattested credential that the user has not got yet', async () => {
    const ada = await h.signedIn()
    const { passkey, authenticator } = await register(ada)
    const { status, body } = await ada.request('POST', `${PASSKEYS}/register/begin`)
    expect(passkey.id).toBeInteger()
    expect(status).toBe(200)
    expect(body).toEqual({
      options: {
        rp: { id: 'localhost', name: 'Organiser' },
        user: {
          id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
          name: ada.row.username,
          displayName: ada.row.username,
        },
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        pubKeyCredParams: [
          { type: 'public-key', alg: -8 },
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        timeout: 300_000,
        excludeCredentials: [
          { id: authenticator.credentialId, type: 'public-key', transports: ['internal'] },
        ],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    })
  })

  test('gives a user one handle for good, however many registrations begin at once, and no other user the same', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const options = await Promise.all(Array.from({ length: 20 }, () => begin(ada, 'register')))
    const handles = new Set(options.map(({ user }) => user.id))
    expect(handles.size).toBe(1)
    expect(handles).not.toContain((await begin(eve, 'register')).user.id)
    expect(new Set(options.map(({ challenge }) => challenge)).size).toBe(20)
  })

  test('keeps no challenge, only its SHA-256', async () => {
    const ada = await h.signedIn()
    const { challenge } = await begin(ada, 'register')
    const [row] = await h.db
      .select()
      .from(webauthnChallenges)
      .where(eq(webauthnChallenges.userId, ada.row.id))
    const digest = new Bun.CryptoHasher('sha256').update(challenge).digest('hex')
    expect(row).toMatchObject({ challengeHash: digest, purpose: 'registration' })
  })

  test('needs recent authentication', async () => {
    const user = await h.user()
    const authenticatedAt = new Date(h.clock.now().getTime() - 15 * 60_000)
    const { token } = await h.session(user.id, { authenticatedAt })
    const answered = await h.request('POST', `${PASSKEYS}/register/begin`, { cookie: token })
    expect([answered.status, answered.body.code]).toEqual([403, 'reauthentication_required'])
  })

  test('refuses the twenty-first passkey, and so does the end of a registration that began before', async () => {
    const ada = await h.signedIn()
    const authenticator = new Authenticator()
    const credential = await authenticator.create(await begin(ada, 'register'))
    await fill(ada.row.id, 20)
    const limit = { detail: 'Passkey limit reached' }
    const begun = await ada.request('POST', `${PASSKEYS}/register/begin`)
    expect([begun.status, begun.body]).toEqual([409, limit])
    const completed = await complete(ada, credential)
    expect([completed.status, completed.body]).toEqual([409, limit])
    expect((await passkeysOf(ada.row.id)).length).toBe(20)
  })
})

describe('POST /api/auth/passkeys/register/complete', () => {
  test.each([-8, -7, -257] as const)(
    'registers a passkey of algorithm %d that can sign in',
    async (algorithm) => {
      const ada = await h.signedIn()
      const { authenticator, passkey } = await register(ada, { algorithm, name: ' Phone ' })
      expect(passkey).toEqual({
        id: expect.any(Number),
        name: 'Phone',
        created_at: '2026-03-04T10:30:00+01:00',
        last_used_at: null,
        device_type: 'singleDevice',
        backed_up: false,
        transports: ['internal'],
      })
      expect(await actionsOf(h, ada.row.id)).toEqual(['auth.passkey_registered'])
      expect((await signIn(h, authenticator)).status).toBe(200)
      expect((await ada.request('GET', '/api/auth/status')).body).toMatchObject({
        passkey_count: 1,
        has_passkeys: true,
      })
    },
  )

  test('tells a passkey that is backed up, and takes every listed origin', async () => {
    const ada = await h.signedIn()
    const { passkey } = await register(ada, {
      backupEligible: true,
      backedUp: true,
      origin: 'https://app.example',
    })
    expect(passkey).toMatchObject({ device_type: 'multiDevice', backed_up: true })
  })

  test('takes an attestation by the credential itself, which browsers pass on unasked', async () => {
    const ada = await h.signedIn()
    const credential = await new Authenticator().create(await begin(ada, 'register'), {
      attestation: async ({ authData, sign }) =>
        new Map<string, unknown>([
          ['fmt', 'packed'],
          [
            'attStmt',
            new Map<string, unknown>([
              ['alg', -7],
              ['sig', await sign()],
            ]),
          ],
          ['authData', authData],
        ]),
    })
    expect((await complete(ada, credential)).status).toBe(201)
  })

  test('names a passkey after how many there are, and never like another', async () => {
    const ada = await h.signedIn()
    const { passkey: first } = await register(ada)
    const { passkey: second } = await register(ada)
    expect([first.name, second.name]).toEqual(['Passkey 1', 'Passkey 2'])
    await ada.request('DELETE', `${PASSKEYS}/${first.id}`)
    expect((await register(ada)).passkey.name).toBe('Passkey 3')
  })

  test('refuses names that are no names', async () => {
    const ada = await h.signedIn()
    const credential = await new Authenticator().create(await begin(ada, 'register'))
    for (const name of ['', ' ', 'x'.repeat(65), 'a\0b', 7, null]) {
      const answered = await complete(ada, credential, name)
      expect([name, answered.status, answered.body.errors[0].field]).toEqual([name, 422, 'body.name'])
    }
    expect((await complete(ada, credential, 'x'.repeat(64))).status).toBe(201)
  })

  test('refuses a credential that anybody has registered already, also at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const actors = [await h.signedIn(), await h.signedIn()]
      const authenticator = new Authenticator()
      const sent = []
      for (const actor of actors) {
        for (let i = 0; i < 2; i++) {
          sent.push({ actor, credential: await authenticator.create(await begin(actor, 'register')) })
        }
      }
      const answers = await race(
        sent.map(
          ({ actor, credential }) =>
            () =>
              complete(actor, credential),
        ),
        0,
      )
      expect(answers.filter(({ status }) => status === 201).length).toBe(1)
      const refused = answers.filter(({ status }) => status !== 201)
      for (const { body } of refused) expect(body).toEqual({ detail: 'Passkey is already registered' })
    }
  })

  test('takes a challenge once, however many requests show it at once', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const credential = await new Authenticator().create(await begin(ada, 'register'))
      const answers = await raceOf(50, () => complete(ada, credential))
      const statuses = answers.map(({ status }) => status)
      expect([statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 400).length]).toEqual([
        1, 49,
      ])
      expect((await passkeysOf(ada.row.id)).length).toBe(1)
    }
  })

  test('of twenty registrations at once none passes the limit', async () => {
    const ada = await h.signedIn()
    await fill(ada.row.id, 15)
    const credentials = []
    for (let i = 0; i < 20; i++)
      credentials.push(await new Authenticator().create(await begin(ada, 'register')))
    const answers = await race(
      credentials.map((credential) => () => complete(ada, credential)),
      0,
    )
    expect(answers.filter(({ status }) => status === 201).length).toBe(5)
    expect((await passkeysOf(ada.row.id)).length).toBe(20)
  })
})
