import { expect, test } from 'bun:test'
import { useHarness } from '../../support/use-harness'

const h = useHarness()

const IMPORT = '/api/people/import'

/** A body that notices whether anybody reads it. */
function watchedBody() {
  let isRead = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        isRead = true
        controller.enqueue(new TextEncoder().encode('BEGIN:VCARD\r\n'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, isRead: () => isRead }
}

test('nobody reads the body of a request that has no session, a wrong cookie, or one that has ended', async () => {
  const ada = await h.signedIn()
  const old = await h.session(ada.row.id, { revoked: true })
  for (const cookie of [undefined, 'v1.k1.wrong', old.token]) {
    for (const declared of [{}, { 'content-length': '10485760' }]) {
      const { body, isRead } = watchedBody()
      const { status } = await h.request('POST', IMPORT, {
        body,
        headers: { 'content-type': 'text/vcard', ...declared },
        ...(cookie !== undefined && { cookie }),
      })
      expect([status, isRead()]).toEqual([401, false])
    }
  }
})

test('nobody reads the body of a request that is locked, forbidden or of a foreign origin', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  await ada.request('POST', '/api/auth/lock')
  const requests = [
    [423, () => ada.request('POST', IMPORT, locked())],
    [403, () => bob.request('POST', '/api/admin/users', { body: watched.body })],
    [403, () => bob.request('POST', IMPORT, foreign())],
  ] as const
  let watched = watchedBody()
  const locked = () => ({ body: watched.body, headers: { 'content-type': 'text/vcard' } })
  const foreign = () => ({ body: watched.body, headers: { origin: 'https://evil.example' } })
  for (const [expected, send] of requests) {
    watched = watchedBody()
    expect([(await send()).status, watched.isRead()]).toEqual([expected, false])
  }
})

test('a body that nobody declared is refused once it proves too large, after the session', async () => {
  const chunk = new Uint8Array(65_536)
  const endless = () =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) }, { highWaterMark: 0 })
  expect((await h.request('POST', '/api/todos', { body: endless() })).status).toBe(401)
  const ada = await h.signedIn()
  expect((await ada.request('POST', '/api/todos', { body: endless() })).status).toBe(413)
})
