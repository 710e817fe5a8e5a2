import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys } from '../../../../src/db/schema'
import { auditOf } from '../../../support/accounts'
import { Authenticator, type Lies, toBase64url } from '../../../support/authenticator'
import { type Actor } from '../../../support/harness'
import { begin, PASSKEYS } from '../../../support/passkeys'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const FAILED = { detail: 'Passkey registration failed' }
const passkeysOf = (userId: number) => h.db.select().from(passkeys).where(eq(passkeys.userId, userId))
const complete = (actor: Actor, credential: unknown) =>
  actor.request('POST', `${PASSKEYS}/register/complete`, { body: { credential } })

describe('a registration that is not honest is refused and leaves nothing', () => {
  const P256_OFF_CURVE = new Uint8Array([
    0xa5,
    1,
    2,
    3,
    0x26,
    0x20,
    1,
    0x21,
    0x58,
    32,
    ...Array(32).fill(1),
    0x22,
    0x58,
    32,
    ...Array(32).fill(2),
  ])
  const lies: ReadonlyArray<[title: string, lies: Lies]> = [
    ['another origin', { origin: 'http://localhost:3001' }],
    ['another relying party', { rpId: 'example.org' }],
    ['a frame of another site', { crossOrigin: true }],
    ['a top origin', { topOrigin: 'http://localhost:3000' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false }],
    ['the type of an assertion', { type: 'webauthn.get' }],
    ['a challenge of its own', { challenge: toBase64url(new Uint8Array(32)) }],
    ['a backup of what cannot be backed up', { backedUp: true }],
    ['a key off its curve', { publicKey: P256_OFF_CURVE }],
    ['a key of another algorithm', { publicKey: new Uint8Array([0xa2, 1, 2, 3, 0x38, 0x22]) }],
    [
      'an attestation by certificates',
      {
        attestation: async ({ authData, sign }) =>
          new Map<string, unknown>([
            ['fmt', 'packed'],
            [
              'attStmt',
              new Map<string, unknown>([
                ['alg', -7],
                ['sig', await sign()],
                ['x5c', [new Uint8Array(9)]],
              ]),
            ],
            ['authData', authData],
          ]),
      },
    ],
    [
      'an unknown attestation',
      {
        attestation: ({ authData }) =>
          new Map<string, unknown>([
            ['fmt', 'x'],
            ['attStmt', new Map()],
            ['authData', authData],
          ]),
      },
    ],
    ['nothing in its attestation', { attestation: () => new Map() }],
  ]
  test.each(lies)('%s', async (_, lie) => {
    const ada = await h.signedIn()
    const options = await begin(ada, 'register')
    const authenticator = new Authenticator()
    const answered = await complete(ada, await authenticator.create(options, lie))
    expect([answered.status, answered.body]).toEqual([400, FAILED])
    expect(await passkeysOf(ada.row.id)).toEqual([])
    expect(await auditOf(h, ada.row.id)).toEqual([])
  })

  test('another id beside the signed one', async () => {
    const ada = await h.signedIn()
    const credential = await new Authenticator().create(await begin(ada, 'register'))
    const id = toBase64url(new Uint8Array(32))
    expect((await complete(ada, { ...credential, id, rawId: id })).body).toEqual(FAILED)
    expect((await passkeysOf(ada.row.id)).length).toBe(0)
  })

  test('a replayed, an expired, a foreign challenge and one for signing in', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const options = await begin(ada, 'register')
    const foreign = await begin(eve, 'register')
    const { challenge } = await begin(ada)
    const attempt = async (given: typeof options) => complete(ada, await new Authenticator().create(given))
    expect((await attempt(options)).status).toBe(201)
    for (const given of [options, foreign, { ...options, challenge }]) {
      expect([(await attempt(given)).status, (await attempt(given)).body]).toEqual([400, FAILED])
    }
    const late = await begin(ada, 'register')
    h.clock.advance({ minutes: 5 })
    expect((await attempt(late)).body).toEqual(FAILED)
    expect((await passkeysOf(ada.row.id)).length).toBe(1)
    expect((await passkeysOf(eve.row.id)).length).toBe(0)
  })

  test('an attestation object or client data that are none, and a shape that is none', async () => {
    const ada = await h.signedIn()
    const malformed: ReadonlyArray<[number, Record<string, unknown>]> = [
      [400, { attestationObject: 'AA' }],
      [400, { attestationObject: 'oA' }],
      [400, { attestationObject: '_____w' }],
      [400, { attestationObject: toBase64url(new Uint8Array(4000).fill(0x81)) }],
      [400, { clientDataJSON: 'AA' }],
      [422, { attestationObject: 'A'.repeat(16_385) }],
      [422, { attestationObject: undefined }],
      [422, { clientDataJSON: '{}' }],
      [422, { transports: ['usb', 7] }],
      [422, { transports: Array(11).fill('usb') }],
    ]
    for (const [expected, change] of malformed) {
      const credential = await new Authenticator().create(await begin(ada, 'register'))
      const response = { ...credential.response, ...change }
      const answered = await complete(ada, { ...credential, response })
      expect([Object.keys(change), answered.status]).toEqual([Object.keys(change), expected])
      if (expected === 400) expect(answered.body).toEqual(FAILED)
    }
    expect(await passkeysOf(ada.row.id)).toEqual([])
  })
})
