import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { listen } from '../../../src/adapters/http-server'
import { swaggerUiAssets } from '../../../src/adapters/assets'
import { operationsOf } from '../../support/openapi'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { CORS_ORIGINS: 'https://listed.example' } })
let server: ReturnType<typeof listen>
beforeAll(() => {
  server = listen({
    hostname: '127.0.0.1',
    ports: [0],
    handle: h.app.fetch,
    failed: () => new Response(null, { status: 500 }),
  })
})
afterAll(() => server.stop(true))

const FILES = [
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/swagger-initializer.js',
  '/api/docs/swagger-ui.css',
  '/api/docs/swagger-ui-bundle.js',
  '/api/docs/favicon-32x32.png',
]

const send = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers })

test.each(FILES)(
  '%s says its length and its tag, to HEAD too, and is not sent again to who has it',
  async (path) => {
    const got = await send(path)
    const bytes = await got.bytes()
    const shown = ({ status, headers }: Response) => [
      status,
      headers.get('content-length'),
      headers.get('etag'),
      headers.get('content-type'),
      headers.get('cache-control'),
    ]
    expect(got.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(got.headers.get('transfer-encoding')).toBeNull()
    const etag = got.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(got.headers.get('cache-control')).toMatch(/^(no-cache|public, max-age=86400)$/)
    const head = await send(path, 'HEAD')
    expect(shown(head)).toEqual(shown(got))
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await send(path, 'GET', { 'if-none-match': known })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    expect((await send(path, 'GET', { 'if-none-match': '"other"' })).status).toBe(200)
  },
)

test('a file arrives as it is in its package, also at a listed origin', async () => {
  for (const name of ['swagger-ui-bundle.js', 'favicon-32x32.png']) {
    const asset = await swaggerUiAssets.read(name)
    const got = await send(`/api/docs/${name}`, 'GET', { origin: 'https://listed.example' })
    expect(got.headers.get('access-control-allow-origin')).toBe('https://listed.example')
    expect(got.headers.get('content-length')).toBe(String(asset?.bytes.byteLength))
    expect(Buffer.compare(await got.bytes(), asset?.bytes ?? new Uint8Array())).toBe(0)
  }
})

test('files have tags of their own', async () => {
  const tags = await Promise.all(FILES.map(async (path) => (await send(path)).headers.get('etag')))
  expect(new Set(tags).size).toBe(FILES.length)
})

test('the document is written once, however often it is asked for', async () => {
  const document = await (await send('/api/openapi.json')).json()
  expect(operationsOf(document).length).toBeGreaterThan(100)
  using stringify = spyOn(JSON, 'stringify')
  for (const method of ['HEAD', 'GET', 'HEAD']) await (await send('/api/openapi.json', method)).bytes()
  expect(
    stringify.mock.calls.flat().filter((value) => typeof value === 'object' && 'openapi' in value),
  ).toEqual([])
})
