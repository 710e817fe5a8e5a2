import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { listen } from '../../../../src/adapters/http-server'
import { calendarOf, fillCalendar } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { until } from '../../../support/service'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

test.each(['export', 'feed'])(
  'a calendar %s that fails midway ends its connection before the end of the file, and says so in the log',
  async (what) => {
    const ada = await organiser(h)
    const id = await calendarOf(ada)
    await fillCalendar(h, id, 3000, 9000)
    const path = what === 'feed' ? await ada.feedOf(id) : `/api/calendars/${id}/export`
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
