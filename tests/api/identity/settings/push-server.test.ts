import { describe, expect, test } from 'bun:test'
import { startHarness } from '../../../support/harness'
import { FORBIDDEN_SERVERS } from '../../../support/push-addresses'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SETTINGS = '/api/settings'
const save = async (ntfy_server_url: string, of = h) =>
  (await of.signedIn()).request('PUT', SETTINGS, { body: { ntfy_server_url } })

describe('ntfy_server_url', () => {
  test.each(FORBIDDEN_SERVERS)('refuses the push server %s', async (url) => {
    const refused = await save(url)
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'ntfy_server_url: must not be a private or reserved address',
    ])
  })

  test.each([
    'https://8.8.8.8',
    'http://[2606:4700::1111]:8080',
    'https://ntfy.example/',
    'https://NTFY.example:8443',
    'https://münchen.example',
  ])('takes the push server %s', async (url) => {
    expect((await save(url)).body).toMatchObject({ ntfy_server_url: url })
  })

  test.each([
    'https://ntfy.sh/mytopic',
    'https://example.org/ntfy/',
    'https://ntfy.sh/?auth=secret',
    'https://ntfy.sh#topic',
    'https://ntfy.sh?',
    'https://ntfy.sh//',
  ])('refuses %s: messages go to the root of the server', async (url) => {
    const refused = await save(url)
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'ntfy_server_url: must be the server alone, without a path',
    ])
  })

  test.each([
    'ntfy.sh',
    'ftp://ntfy.sh',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'http://[fe80::1%25eth0]',
    'http://[fe80::1%eth0]',
    'http://127.0.0.1%00',
    'http://256.0.0.1',
    'http://4294967296',
    'https://ntfy .sh',
  ])('refuses %s, which is no address of a server', async (url) => {
    const refused = await save(url)
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'ntfy_server_url: must be an http or https URL',
    ])
  })

  test('takes a private push server where the operator allows it', async () => {
    await using open = await startHarness({ env: { NTFY_ALLOW_PRIVATE: 'true' } })
    expect((await save('http://192.168.1.5', open)).status).toBe(200)
  })
})
