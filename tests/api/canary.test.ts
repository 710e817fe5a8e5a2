import { expect, test } from 'bun:test'
import { startHarness } from '../support/harness'

test('a secret in a log line, an audit detail or an error fails the test that let it out', async () => {
  const secret = 'Zanzibar-Zanzibar'
  const h = await startHarness()
  await h.request('POST', '/api/auth/login', { body: { username: 'nobody', password: secret } })
  h.log.info('oops', { password: secret })
  h.canary.hear({}, new Response('', { status: 500 }), `it was ${secret}`)
  const leaks = await h.canary.leaks(h.db, h.log)
  expect([...leaks]).toEqual(['error 500 holds a secret', 'log "oops" holds a secret'])
  h.log.entries.length = 0
  await expect(h[Symbol.asyncDispose]()).rejects.toThrow('error 500 holds a secret')
})
