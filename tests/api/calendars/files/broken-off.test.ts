import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { listen } from '../../../../src/adapters/http-server'
import { calendarOf } from '../../../support/calendar-files'
import { administer } from '../../../support/database'
import { organiser } from '../../../support/events'
import { startHarness } from '../../../support/harness'
import { until } from '../../../support/service'

test.each(['export', 'feed'])(
  'of a calendar that fails midway, an %s ends its connection before the file, and says so in the log',
  async (what) => {
    await using h = await startHarness()
    const ada = await organiser(h)
    const id = await calendarOf(ada)
    // Without the service's time-outs, as indexing so much may take longer on a busy machine.
    const admin = administer(h.url)
    await admin`
      insert into events (calendar_id, title, description, all_day, start_date, end_date, last_end_date, created_at, updated_at)
      select ${id}, 'Event ' || n, repeat('x', 9000), true, '2026-03-10', '2026-03-10', '2026-03-10', now(), now()
      from generate_series(1, 3000) as n`
    await admin.end({ timeout: 5 })
    const feed = await ada.request('POST', `/api/calendars/${id}/feed`)
    const path = what === 'feed' ? new URL(feed.body.url).pathname : `/api/calendars/${id}/export`
    const server = listen({
      hostname: '127.0.0.1',
      ports: [0],
      handle: h.app.fetch,
      failed: () => new Response(null, { status: 500 }),
    })
    try {
      const headers = { cookie: `session=${ada.token}` }
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
      expect(response.status).toBe(200)
      const reader = response.body?.getReader()
      await reader?.read()
      await h.db.execute(sql`alter table event_occurrences rename to gone`)
      const rest = async () => {
        while (!(await reader?.read())?.done);
      }
      // oxlint-disable-next-line typescript/await-thenable -- the matcher's type hides that it waits
      await expect(rest()).rejects.toThrow()
      const broken = await until(() => h.log.entries.find(({ message }) => message === 'An answer broke off'))
      expect(broken).toMatchObject({ level: 'error', fields: { calendar_id: id, database_code: '42P01' } })
    } finally {
      await server.stop(true)
    }
  },
)
