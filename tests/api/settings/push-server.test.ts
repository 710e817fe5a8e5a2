import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Harness, startHarness } from '../../support/harness'

let h: Harness
beforeAll(async () => void (h = await startHarness()))
afterAll(() => h[Symbol.asyncDispose]())

const SETTINGS = '/api/settings'

describe('ntfy_server_url', () => {
  test.each([
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://10.1.2.3:8080',
    'http://169.254.169.254',
    'http://100.64.0.1',
    'http://0.0.0.0',
    'http://255.255.255.255',
    'http://224.0.0.1',
    'http://[::1]',
    'http://[::ffff:10.0.0.1]',
    'http://[fe80::1]',
    'http://[fd00::1]',
    'http://[64:ff9b::a00:1]',
    'http://[::127.0.0.1]',
    'http://[::a00:1]',
    'http://[2002:a00:1::]',
  ])('refuses the push server %s', async (url) => {
    const ada = await h.signedIn()
    const refused = await ada.request('PUT', SETTINGS, { body: { ntfy_server_url: url } })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'ntfy_server_url: must not be a private or reserved address',
    ])
  })

  test.each(['https://8.8.8.8', 'http://[2606:4700::1111]:8080', 'https://ntfy.example/'])(
    'takes the push server %s',
    async (url) => {
      const ada = await h.signedIn()
      const taken = await ada.request('PUT', SETTINGS, { body: { ntfy_server_url: url } })
      expect(taken.body).toMatchObject({ ntfy_server_url: url })
    },
  )

  test('takes a private push server where the operator allows it', async () => {
    await using open = await startHarness({ env: { NTFY_ALLOW_PRIVATE: 'true' } })
    const ada = await open.signedIn()
    const taken = await ada.request('PUT', SETTINGS, { body: { ntfy_server_url: 'http://192.168.1.5' } })
    expect(taken.status).toBe(200)
  })
})
