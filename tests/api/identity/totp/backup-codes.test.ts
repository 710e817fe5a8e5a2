import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { backupCodes, users } from '../../../../src/db/schema'
import { actionsOf, userOf } from '../../../support/accounts'
import { codeAt, wrongCodeAt } from '../../../support/authenticator-app'
import { type Actor, PASSWORD } from '../../../support/harness'
import { withTotp } from '../../../support/totp'
import { useHarness } from '../../../support/use-harness'

const TOTP = '/api/auth/totp'
const h = useHarness()
beforeAll(() => {
  h.peer.address = '127.0.0.1'
})

const post = async (actor: Actor, path: string, body?: unknown) => {
  const answered = await actor.request('POST', `${TOTP}/${path}`, body === undefined ? {} : { body })
  return { status: answered.status, body: answered.body }
}
const refused = (status: number, detail: string) => ({ status, body: { detail } })
const statusOf = async (actor: Actor) => (await actor.request('GET', `${TOTP}/status`)).body
const codesOf = (actor: Actor) => h.db.select().from(backupCodes).where(eq(backupCodes.userId, actor.row.id))

describe('POST /api/auth/totp/backup-codes', () => {
  const renew = (actor: Actor, password = PASSWORD, code?: string) =>
    post(actor, 'backup-codes', { password, code })
  const notRecent = {
    status: 403,
    body: { detail: 'Recent authentication required', code: 'reauthentication_required' },
  }

  test('answers new ones, and the old ones die', async () => {
    const ada = await h.signedIn()
    const { backupCodes: old } = await withTotp(h, ada)
    const { status, body } = await renew(ada)
    expect([status, Object.keys(body), body.backup_codes.length]).toEqual([200, ['backup_codes'], 10])
    expect(new Set([...body.backup_codes, ...old]).size).toBe(20)
    expect(await post(ada, 'disable', { password: PASSWORD, code: old[0] })).toEqual(
      refused(400, 'Invalid verification code'),
    )
    expect(await statusOf(ada)).toMatchObject({ backup_codes_remaining: 10 })
    expect(await actionsOf(h, ada.row.id)).toContain('auth.backup_codes_renewed')
  })

  test('refuses in the order: not on, locked, password', async () => {
    const ada = await h.signedIn()
    expect(await renew(ada, 'wrong')).toEqual(refused(409, 'TOTP is not enabled'))
    await withTotp(h, ada)
    const before = await codesOf(ada)
    expect(await renew(ada, 'wrong')).toEqual(refused(401, 'Incorrect password'))
    const mfaLockedUntil = new Date(h.clock.now().getTime() + 60_000)
    await h.db.update(users).set({ mfaLockedUntil }).where(eq(users.id, ada.row.id))
    expect(await renew(ada)).toEqual(refused(423, 'Account locked. Try again in 2 minutes.'))
    expect(await codesOf(ada)).toEqual(before)
  })

  test('asks for a code of the authenticator or for recent authentication, which its own password is not', async () => {
    const ada = await h.signedIn()
    const { secret, backupCodes: old } = await withTotp(h, ada)
    h.clock.advance({ minutes: 15 })
    for (let time = 0; time < 2; time++) expect(await renew(ada)).toEqual(notRecent)
    const code = codeAt(secret, h.clock.now())
    expect((await renew(ada, PASSWORD, code)).status).toBe(200)
    expect(await renew(ada)).toEqual(notRecent)
    expect(await post(ada, 'setup')).toEqual(notRecent)
    await ada.request('POST', '/api/auth/verify-password', { body: { password: PASSWORD } })
    const { status, body } = await renew(ada)
    expect(status).toBe(200)
    expect(body.backup_codes).not.toContain(old[0])
  })

  test('uses a code up: it is taken nowhere else, and neither is one from before', async () => {
    const ada = await h.signedIn()
    const { secret } = await withTotp(h, ada)
    const code = codeAt(secret, h.clock.now())
    expect((await renew(ada, PASSWORD, code)).status).toBe(200)
    for (const used of [code, codeAt(secret, h.clock.now(), -1)]) {
      expect(await renew(ada, PASSWORD, used)).toEqual(refused(400, 'Invalid verification code'))
      expect(await post(ada, 'disable', { password: PASSWORD, code: used })).toEqual(
        refused(400, 'Invalid verification code'),
      )
    }
    expect((await renew(ada, PASSWORD, codeAt(secret, h.clock.now(), 1))).status).toBe(200)
  })

  test('a right code ends the count of wrong ones', async () => {
    const ada = await h.signedIn()
    const { secret } = await withTotp(h, ada)
    for (let round = 0; round < 2; round++) {
      const wrong = wrongCodeAt(secret, h.clock.now())
      for (let i = 0; i < 9; i++)
        expect(await renew(ada, PASSWORD, wrong)).toEqual(refused(400, 'Invalid verification code'))
      expect((await renew(ada, PASSWORD, codeAt(secret, h.clock.now()))).status).toBe(200)
      h.clock.advance({ seconds: 60 })
    }
  })

  test('ten wrong codes lock the account, also within recent authentication, and a backup code is one', async () => {
    const ada = await h.signedIn()
    const { secret, backupCodes: old } = await withTotp(h, ada)
    const before = await codesOf(ada)
    const wrong = [wrongCodeAt(secret, h.clock.now()), old[0] ?? '', 'x']
    for (let i = 0; i < 10; i++) {
      expect(await renew(ada, PASSWORD, wrong[i % 3])).toEqual(refused(400, 'Invalid verification code'))
      expect((await userOf(h, ada.row.id)).failedMfaCount).toBe(i + 1)
    }
    expect(await renew(ada, PASSWORD, codeAt(secret, h.clock.now()))).toEqual(
      refused(423, 'Account locked. Try again in 31 minutes.'),
    )
    expect(await codesOf(ada)).toEqual(before)
  })
})
