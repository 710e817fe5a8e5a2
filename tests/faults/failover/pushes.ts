import { expect } from 'bun:test'
import { addMinutes, addSeconds } from '../../../src/lib/time/time'
import { administer } from '../../support/database'
import { fakeNtfy } from '../../support/ntfy'
import { until } from '../../support/service'

const MINUTES = 30

/** A reminder of the only user each second from now on, of which they are told by push. */
export async function planPushes(databaseUrl: string) {
  const ntfy = fakeNtfy()
  const begin = addSeconds(new Date(), 5)
  const sql = administer(databaseUrl)
  const [user] = await sql`select id from users`
  const userId = Number(user?.['id'])
  await sql`update settings set ntfy_enabled = true, ntfy_server_url = ${ntfy.url}, ntfy_topic = 'ada' where user_id = ${userId}`
  const stamp = addMinutes(begin, -60)
  await sql`
    insert into reminders (user_id, title, time_zone, remind_at, series_start, series_wall, created_at, updated_at)
    select ${userId}, 'due ' || n, 'UTC', at, at, at at time zone 'UTC', ${stamp}, ${stamp}
    from generate_series(0, ${MINUTES * 60}::integer) as n, lateral (select ${begin}::timestamptz + make_interval(secs => n) as at) as due`
  await sql.end({ timeout: 5 })
  return {
    ntfy,
    /** Every reminder that was due arrived, and came again only as the same: `repeats` of them at most. */
    async verify(repeats: number) {
      const due = Math.floor((Date.now() - begin.getTime()) / 1000)
      const wanted = Array.from({ length: due }, (_, n) => `due ${n}`)
      const missing = () => {
        const found = new Set(ntfy.published.map(({ title }) => title))
        return wanted.filter((title) => !found.has(title))
      }
      await until(() => missing().length === 0, 30_000).catch(() => undefined)
      expect(missing()).toEqual([])
      const published = ntfy.published.filter(({ title }) => title.startsWith('due '))
      const byTitle = Map.groupBy(published, ({ title }) => title)
      for (const same of byTitle.values()) expect(new Set(same.map(({ sequence_id: id }) => id)).size).toBe(1)
      expect(published.length - byTitle.size).toBeLessThanOrEqual(repeats)
      return { due, again: published.length - byTitle.size }
    },
    [Symbol.asyncDispose]: () => ntfy[Symbol.asyncDispose](),
  }
}
