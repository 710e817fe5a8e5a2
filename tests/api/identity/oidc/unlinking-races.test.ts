import { expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { identities, passkeys } from '../../../../src/db/schema'
import { NO_PASSWORD } from '../../../../src/features/identity/passwords/rules'
import { RunningClock } from '../../../support/fakes'
import { openBrowser } from '../../../support/oidc-browser'
import { useOidcProvider } from '../../../support/oidc-provider'
import { race, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

setDefaultTimeout(60_000)
const provider = await useOidcProvider()
const h = useHarness({ env: provider.env, clock: new RunningClock(new Date().toISOString()) })

const ROUNDS = 8
let serial = 0

/** A user with an identity at the provider. */
async function linked(columns: Parameters<typeof h.signedIn>[0] = {}) {
  const ada = await h.signedIn(columns)
  const who = { sub: `sub-${++serial}`, claims: {} }
  expect((await openBrowser(h, ada.token).signOn(who, '?purpose=link')).location).toBe('/settings/security')
  const [identity] = (await ada.request('GET', '/api/auth/identities')).body.identities
  return { ada, who, unlink: () => ada.request('DELETE', `/api/auth/identities/${identity.id}`) }
}

/** Each of two attempts is the first in turn. */
const inTurn = <T>(round: number, [one, other]: readonly [T, T]): T[] =>
  round % 2 === 0 ? [one, other] : [other, one]

test('unlinking and deleting the last passkey at once leaves one of them, whichever comes first', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, unlink } = await linked({ passwordHash: NO_PASSWORD })
    await h.db.insert(passkeys).values({
      userId: ada.row.id,
      name: 'Key',
      credentialId: crypto.randomUUID(),
      publicKey: new Uint8Array(1),
      signCount: 0,
      transports: [],
      deviceType: 'singleDevice',
      backedUp: false,
      createdAt: h.clock.now(),
    })
    const [key] = (await ada.request('GET', '/api/auth/passkeys')).body.passkeys
    const forget = () => ada.request('DELETE', `/api/auth/passkeys/${key.id}`)
    expect(statusesOf(await race(inTurn(round, [unlink, forget]), 0))).toEqual([204, 409])
    const left = [
      await h.db.$count(passkeys, eq(passkeys.userId, ada.row.id)),
      await h.db.$count(identities, eq(identities.userId, ada.row.id)),
    ]
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 1])
  }
})

test('unlinking while a sign-in comes back lets it in or not, and nobody after that', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { who, unlink } = await linked()
    const browser = openBrowser(h)
    const answer = await browser.visit((await browser.begin()).location, who)
    let location = ''
    const comeBack = async () => {
      const answered = await browser.request('GET', answer)
      location = answered.location
      return answered
    }
    expect(
      statusesOf(await race(inTurn<() => Promise<{ status: number }>>(round, [unlink, comeBack]), 0)),
    ).toEqual([204, 302])
    expect([location, browser.session !== undefined]).toBeOneOf([
      ['/', true],
      ['/sign-in?error=not_linked', false],
    ])
    expect((await openBrowser(h).signOn(who)).location).toBe('/sign-in?error=not_linked')
  }
})

test('linking what somebody unlinks at the same moment gives it to one of them or to nobody, never to both', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { who, unlink } = await linked()
    const bob = await h.signedIn()
    const browser = openBrowser(h, bob.token)
    const answer = await browser.visit((await browser.begin('?purpose=link')).location, who)
    const link = () => browser.request('GET', answer)
    await race(inTurn<() => Promise<{ status: number }>>(round, [unlink, link]), 0)
    const owners = await h.db.select().from(identities).where(eq(identities.subject, who.sub))
    expect(owners.map(({ userId }) => userId)).toBeOneOf([[], [bob.row.id]])
  }
})
