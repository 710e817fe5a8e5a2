import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { auditLog, users } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { race, raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SETTINGS = '/api/settings'
const change = (actor: Actor, body: object) => actor.request('PUT', SETTINGS, { body })
const refusals = (actor: Actor) =>
  h.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.actorId, actor.row.id), eq(auditLog.action, 'settings.identity_refused')))

let serial = 0
/** Somebody whose e-mail and network name others ask for, and somebody who does. */
async function wanted() {
  const email = `boss${++serial}@corp.example`
  const boss = await h.signedIn({ email })
  return { eve: await h.signedIn(), email, networkName: boss.row.networkName }
}

describe('an e-mail or network name that somebody else has', () => {
  test('is refused ten times an hour, audited each time, and then nobody is told whether it is free', async () => {
    const { eve, email, networkName } = await wanted()
    const asked = [{ email }, { network_name: networkName }]
    for (let i = 0; i < 10; i++) {
      expect((await change(eve, asked[i % 2] ?? {})).status).toBe(409)
      h.clock.advance({ minutes: 1 })
    }
    for (const body of [{ email }, { email: 'free@corp.example' }, { network_name: 'free-name' }]) {
      const { status, body: answer, headers } = await change(eve, { ...body, company: 'lost?' })
      expect([status, answer, headers.get('retry-after')]).toEqual([
        429,
        { detail: 'Too many requests' },
        '3000',
      ])
    }
    expect((await eve.request('GET', SETTINGS)).body).toMatchObject({ email: null, company: null })
    const entries = await refusals(eve)
    expect(entries.map(({ detail }) => detail?.['field'])).toEqual(
      Array.from({ length: 5 }, () => ['email', 'network_name']).flat(),
    )
    expect(entries[0]).toMatchObject({ ip: '203.0.113.7', detail: { field: 'email' } })
    expect(JSON.stringify(entries)).not.toContain(email)
  })

  test('leaves the other fields, what the user has already and what they give up free to change', async () => {
    const { eve, email } = await wanted()
    const own = `eve${serial}@own.example`
    await change(eve, { email: own })
    for (let i = 0; i < 10; i++) await change(eve, { email })
    for (const body of [
      { company: 'C' },
      { email: own.toUpperCase() },
      { email: own, network_name: eve.row.networkName.toUpperCase(), company: 'D' },
      { email: null },
    ]) {
      expect([body, (await change(eve, body)).status]).toEqual([body, 200])
    }
    expect((await change(eve, { email: own })).status).toBe(429)
  })

  test('may be asked for again as each refusal becomes an hour old', async () => {
    const { eve, email } = await wanted()
    for (let i = 0; i < 10; i++) {
      await change(eve, { email })
      h.clock.advance({ minutes: 1 })
    }
    const refused = await change(eve, { email })
    h.clock.advance({ seconds: Number(refused.headers.get('retry-after')) - 1 })
    expect((await change(eve, { email })).status).toBe(429)
    h.clock.advance({ seconds: 1 })
    expect((await change(eve, { email })).status).toBe(409)
    expect((await change(eve, { email })).status).toBe(429)
    h.clock.advance({ minutes: 60 })
    expect((await change(eve, { email: `free${serial}@corp.example` })).status).toBe(200)
  })

  test('is each user’s own count', async () => {
    const { eve, email } = await wanted()
    for (let i = 0; i < 10; i++) await change(eve, { email })
    expect((await change(await h.signedIn(), { email })).status).toBe(409)
  })

  test('Of 60 guesses at once ten are answered', async () => {
    for (let round = 0; round < 3; round++) {
      const { eve, email, networkName } = await wanted()
      const answers = await raceOf(60, (i) =>
        change(eve, i % 2 === 0 ? { email } : { network_name: networkName }),
      )
      expect(statusesOf(answers)).toEqual([...Array(10).fill(409), ...Array(50).fill(429)])
      expect(await refusals(eve)).toHaveLength(10)
    }
  })

  test('goes to one of ten who ask for it at once, and the refusal of each other is counted', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `race${++serial}@corp.example`
      const actors = await Promise.all(Array.from({ length: 10 }, () => h.signedIn()))
      const answers = await race(
        actors.map((actor) => () => change(actor, { email })),
        0,
      )
      expect(statusesOf(answers)).toEqual([200, ...Array(9).fill(409)])
      expect(await h.db.$count(users, eq(users.email, email))).toBe(1)
      const counts = await Promise.all(actors.map(async (actor) => (await refusals(actor)).length))
      expect(counts.toSorted((a, b) => a - b)).toEqual([0, ...Array(9).fill(1)])
    }
  })
})
