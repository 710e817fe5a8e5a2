import { expect, test } from 'bun:test'
import { startHarness } from '../../support/harness'

const ADA = { username: 'ada', password: 'correct horse battery' }
const REFUSED = {
  status: 403,
  body: { detail: 'Before setup only localhost, an IP address or the host of PUBLIC_URL is answered' },
}

test('before setup no page can make its own name resolve to the service and create the first account', async () => {
  await using h = await startHarness({ env: { PUBLIC_URL: 'https://organiser.example' } })
  const rebound = { host: 'evil.example:3000', origin: 'https://evil.example:3000' }
  expect(await h.request('POST', '/api/auth/setup', { body: ADA, headers: rebound })).toMatchObject(REFUSED)
  expect(await h.request('GET', '/api/auth/status', { headers: rebound })).toMatchObject(REFUSED)
  expect((await h.request('GET', '/health/live', { headers: rebound })).status).toBe(200)
})

test('before setup a host that is answered lets no other host in', async () => {
  await using h = await startHarness({ env: { PUBLIC_URL: 'https://organiser.example' } })
  const ask = (host: string) => h.request('GET', '/api/auth/status', { headers: { host } })
  for (const host of ['localhost:3000', '192.168.1.5:3000', 'localhost:3000']) {
    expect((await ask(host)).status).toBe(200)
    expect(await ask('evil.example:3000')).toMatchObject(REFUSED)
  }
})

test.each(['organiser.example', 'localhost:3000', '192.168.1.5:3000', '[fd00::5]:3000', '[::1]'])(
  'before setup %s is answered, and afterwards every host',
  async (host) => {
    await using h = await startHarness({ env: { PUBLIC_URL: 'https://organiser.example' } })
    const elsewhere = () => h.request('GET', '/api/auth/status', { headers: { host: 'elsewhere.example' } })
    expect(await elsewhere()).toMatchObject(REFUSED)
    expect((await h.request('POST', '/api/auth/setup', { body: ADA, headers: { host } })).status).toBe(200)
    expect((await elsewhere()).status).toBe(200)
  },
)
