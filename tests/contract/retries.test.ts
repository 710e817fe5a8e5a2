import { beforeAll, expect, test } from 'bun:test'
import { checksums } from '../support/checksum'
import type { Actor } from '../support/harness'
import { PREPARED } from '../support/preparations'
import { useHarness } from '../support/use-harness'

const h = useHarness()
let checksum: Awaited<ReturnType<typeof checksums>>
beforeAll(async () => {
  checksum = await checksums(h.db)
})

/** What takes or shows a secret. */
const NEVER_REPLAYED =
  /^(?:verify-password|change-password|account deletion|a new access token|totp\/|passkeys\/register|passwordless\/|a new feed)/
const REPLAYED = PREPARED.filter(([name]) => !NEVER_REPLAYED.test(name))

test.each(REPLAYED)(
  '%s, sent again with its key, changes nothing and is answered as before',
  async (_, prepare) => {
    const ada = await h.signedIn()
    let key: string | undefined
    const keyed: Actor = {
      ...ada,
      request: (method, path, sent) => {
        const headers = { ...sent?.headers, ...(key !== undefined && { 'idempotency-key': key }) }
        return ada.request(method, path, { ...sent, headers })
      },
    }
    const request = await prepare(keyed, h)
    key = 'the key'
    const first = await request()
    expect(first.status).toBeLessThan(300)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const before = await checksum()
    const second = await request()
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(second.headers.get('x-operation-id')).toBe(first.headers.get('x-operation-id'))
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await checksum()).toEqual(before)
  },
)

test.each(PREPARED)('%s has an operation exactly if it is not refused', async (_, prepare) => {
  const ada = await h.signedIn()
  const request = await prepare(ada, h)
  const { status, headers } = await request()
  expect(headers.get('x-operation-id') !== null).toBe(status < 300)
})
