import { beforeAll, expect, test } from 'bun:test'
import { checksums } from '../../../support/checksum'
import type { Actor } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { PREPARED } from '../../../support/preparations'
import { insertToken, programOf, TOKENS } from '../../../support/tokens'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const holder = useSql(h)
const watcher = useSql(h)
let checksum: () => Promise<Record<string, unknown>>
beforeAll(async () => {
  checksum = await checksums(h.db)
})

/** What no token may do. */
const OWN_ACCOUNT =
  /^(?:verify-password|change-password|totp\/|passkey|passwordless\/|account deletion|ending other sessions|a new access token|the end of an access token|a change of settings|a new feed)/
const BY_TOKEN = PREPARED.filter(([name]) => !OWN_ACCOUNT.test(name))

test('much can be done by token', () => {
  expect(BY_TOKEN.length).toBeGreaterThan(40)
})

test.each(BY_TOKEN)(
  '%s changes nothing for an access token that was revoked meanwhile',
  async (_, prepare) => {
    const ada = await h.signedIn()
    const { id, token } = await insertToken(h, ada.row.id)
    const program = programOf(h, token)
    let isPrepared = false
    const either: Actor = {
      ...ada,
      request: (...sent) => (isPrepared ? program(...sent) : ada.request(...sent)),
    }
    const request = await prepare(either, h)
    isPrepared = true
    const before = await checksum()
    const { sent } = await holder.begin(async (sql) => {
      await sql`select 1 from users where id = ${ada.row.id} for update`
      const answer = request()
      await lockWaiters(watcher)
      // Without triggers: the note of the end in the journal is not what the request wrote.
      await sql`set local session_replication_role = replica`
      await sql`delete from access_tokens where id = ${id}`
      return { sent: answer }
    })
    const { status, body, headers } = await sent
    expect([status, body]).toEqual([401, { detail: 'Invalid or expired access token' }])
    expect(headers.get('www-authenticate')).toBe('Bearer realm="organiser", error="invalid_token"')
    const access_tokens = before['access_tokens']
    expect<Record<string, unknown>>({ ...(await checksum()), access_tokens }).toEqual(before)
  },
)

test('a request whose token is revoked while its body arrives is refused', async () => {
  const ada = await h.signedIn()
  const { id, token } = await insertToken(h, ada.row.id)
  const rest = Promise.withResolvers<void>()
  const isRead = Promise.withResolvers<void>()
  const body = new ReadableStream(
    {
      async pull(controller) {
        isRead.resolve()
        await rest.promise
        controller.enqueue(new TextEncoder().encode('{"title":"x"}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const sent = programOf(h, token)('POST', '/api/todos', { body })
  await isRead.promise
  expect((await ada.request('DELETE', `${TOKENS}/${id}`)).status).toBe(204)
  h.clock.advance({ seconds: 2 })
  rest.resolve()
  expect((await sent).status).toBe(401)
})
