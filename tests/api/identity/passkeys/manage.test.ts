import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys, users } from '../../../../src/db/schema'
import { actionsOf, auditOf } from '../../../support/accounts'
import { type Actor } from '../../../support/harness'
import { PASSKEYS, register } from '../../../support/passkeys'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const MISSING = { detail: 'Passkey not found' }
const TOO_FEW = { detail: 'At least 2 passkeys are required while passwordless sign-in is enabled' }
const remove = (actor: Actor, id: number | string | undefined) => actor.request('DELETE', `${PASSKEYS}/${id}`)
const rename = (actor: Actor, id: number | string | undefined, name: unknown) =>
  actor.request('PUT', `${PASSKEYS}/${id}`, { body: { name } })
const idsOf = async (userId: number) =>
  (await h.db.select().from(passkeys).where(eq(passkeys.userId, userId))).map(({ id }) => id)
const goPasswordless = (actor: Actor) =>
  h.db.update(users).set({ passwordlessEnabled: true }).where(eq(users.id, actor.row.id))

/** A user with `count` passkeys; answers their ids. */
async function withPasskeys(count: number) {
  const actor = await h.signedIn()
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await register(actor)).passkey.id)
  return { actor, ids }
}

test('the list holds the caller’s passkeys alone, by name', async () => {
  const [ada, eve] = [await h.signedIn(), await h.signedIn()]
  await register(eve)
  for (const name of ['Phone', 'Key', 'Laptop']) await register(ada, { name })
  const { status, body } = await ada.request('GET', PASSKEYS)
  expect(status).toBe(200)
  expect(body.passkeys.map(({ name }: { name: string }) => name)).toEqual(['Key', 'Laptop', 'Phone'])
  expect(Object.keys(body)).toEqual(['passkeys'])
})

test('renaming changes the name alone, and is audited', async () => {
  const ada = await h.signedIn()
  const { passkey } = await register(ada)
  const answered = await rename(ada, passkey.id, ' Phone ')
  expect([answered.status, answered.body]).toEqual([200, { ...passkey, name: 'Phone' }])
  expect((await auditOf(h, ada.row.id)).at(-1)).toEqual({
    action: 'auth.passkey_renamed',
    detail: { passkey_id: passkey.id },
    ip: '203.0.113.7',
  })
  for (const name of ['', 'x'.repeat(65), undefined]) {
    expect((await rename(ada, passkey.id, name)).status).toBe(422)
  }
})

test('deleting ends the passkey, and is audited', async () => {
  const { actor, ids } = await withPasskeys(2)
  const answered = await remove(actor, ids[0])
  expect([answered.status, answered.body]).toEqual([204, ''])
  expect(await idsOf(actor.row.id)).toEqual(ids.slice(1))
  expect((await auditOf(h, actor.row.id)).at(-1)).toEqual({
    action: 'auth.passkey_deleted',
    detail: { passkey_id: ids[0] },
    ip: '203.0.113.7',
  })
  expect((await remove(actor, ids[0])).body).toEqual(MISSING)
})

test('deleting needs recent authentication', async () => {
  const { actor, ids } = await withPasskeys(1)
  const { token } = await h.session(actor.row.id, { authenticatedAt: new Date(0) })
  const answered = await h.request('DELETE', `${PASSKEYS}/${ids[0]}`, { cookie: token })
  expect([answered.status, answered.body.code]).toEqual([403, 'reauthentication_required'])
  expect(await idsOf(actor.row.id)).toEqual(ids)
})

test('somebody else’s passkey, an absent one and nonsense are all not found, and stay as they are', async () => {
  const { actor, ids } = await withPasskeys(1)
  const eve = await h.signedIn()
  for (const id of [ids[0], 0, 2_147_483_647, 2_147_483_648, 'x', '1.0']) {
    const answers = [await remove(eve, id), await rename(eve, id, 'Mine')]
    for (const { status, body } of answers) expect([id, status, body]).toEqual([id, 404, MISSING])
  }
  expect((await actor.request('GET', PASSKEYS)).body.passkeys).toMatchObject([{ name: 'Passkey 1' }])
  expect(await auditOf(h, eve.row.id)).toEqual([])
})

describe('a user without a password', () => {
  test('keeps two passkeys, however many deletions come at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { actor, ids } = await withPasskeys(2)
      await goPasswordless(actor)
      const answers = await raceOf(50, (i) => remove(actor, ids[i % 2]))
      for (const { status, body } of answers) expect([status, body]).toEqual([409, TOO_FEW])
      expect(await idsOf(actor.row.id)).toEqual(ids)
      expect(await actionsOf(h, actor.row.id)).not.toContain('auth.passkey_deleted')
    }
  }, 60_000)

  test('loses one of three, whichever of them are deleted at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { actor, ids } = await withPasskeys(3)
      await goPasswordless(actor)
      const answers = await raceOf(50, (i) => remove(actor, ids[i % 3]))
      expect(answers.filter(({ status }) => status === 204).length).toBe(1)
      expect((await idsOf(actor.row.id)).length).toBe(2)
    }
  }, 60_000)

  test('is told that somebody else’s passkey is not there, not that theirs are too few', async () => {
    const { actor } = await withPasskeys(2)
    await goPasswordless(actor)
    expect((await remove(actor, 2_147_483_647)).body).toEqual(MISSING)
  })
})
