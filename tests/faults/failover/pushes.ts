import { expect } from 'bun:test'
import { addMinutes, addSeconds } from '../../../src/lib/time/time'
import { administer } from '../../support/database'
import { fakeNtfy } from '../../support/ntfy'
import { until } from '../../support/service'

const MINUTES = 30
/** A message that was claimed by who then lost the database is free again after a minute. */
const ARRIVES_MS = 120_000

interface Message {
  readonly title: string
  /** Of the message: a repeated one has the same. */
  readonly sequence_id: string
}

/** What is due so many seconds after the first. */
export const dueAfter = (seconds: number): string[] =>
  Array.from({ length: Math.min(seconds, MINUTES * 60 + 1) }, (_, n) => `due ${n}`)

/** How many came again, and what is wrong with it: as others, or more than `repeats`. */
export function judgeRepeats(published: readonly Message[], repeats: number) {
  const byTitle = Map.groupBy(published, ({ title }) => title)
  const others = [...byTitle]
    .filter(([, same]) => new Set(same.map(({ sequence_id: id }) => id)).size > 1)
    .map(([title]) => `${title} came again as another`)
  const again = published.length - byTitle.size
  return { again, problems: again > repeats ? [...others, `${again} came again`] : others }
}

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
      const wanted = dueAfter(Math.floor((Date.now() - begin.getTime()) / 1000))
      const missing = () => {
        const found = new Set(ntfy.published.map(({ title }) => title))
        return wanted.filter((title) => !found.has(title))
      }
      await until(() => missing().length === 0, ARRIVES_MS).catch(() => undefined)
      expect(missing()).toEqual([])
      const published = ntfy.published.filter(({ title }) => title.startsWith('due '))
      const { again, problems } = judgeRepeats(published, repeats)
      expect(problems).toEqual([])
      return { due: wanted.length, again }
    },
    [Symbol.asyncDispose]: () => ntfy[Symbol.asyncDispose](),
  }
}
