import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { isFileOf } from '../../support/client-files'
import type { Actor } from '../../support/harness'
import { type Client, eventually, hold, startClient } from '../../support/web'

const KB = 1000
const MAX = { scripts: 120 * KB, styles: 15 * KB, requests: 12, secondVisit: 5 * KB } as const

let client: Client
let ada: Actor
beforeAll(async () => {
  client = await startClient()
  ada = await client.h.signedIn()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

interface Transfer {
  readonly path: string
  readonly type: string
  readonly bytes: number
}

/** What a page transfers of the shell until it has its heading: the service compresses all of it. */
async function transfersOf(page: Page, address: string): Promise<Transfer[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const named = new Map<string, { path: string; type: string }>()
  const transfers: Transfer[] = []
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    const { pathname } = new URL(response.url)
    if (!pathname.startsWith('/api/')) named.set(requestId, { path: pathname, type })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    const name = named.get(requestId)
    if (name) transfers.push({ ...name, bytes })
  })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('load')
  await session.detach()
  return transfers
}

const bytesOf = (transfers: readonly Transfer[], type: string) =>
  transfers.filter((each) => each.type === type).reduce((sum, { bytes }) => sum + bytes, 0)

test('the first page that somebody sees is few and small files, and no font', async () => {
  const { page, context } = await client.open()
  const first = await transfersOf(page, '/sign-in')
  const requests = first.length
  expect([requests, requests <= MAX.requests]).toEqual([requests, true])
  const [scripts, styles] = [bytesOf(first, 'Script'), bytesOf(first, 'Stylesheet')]
  expect([scripts, scripts <= MAX.scripts, styles, styles <= MAX.styles]).toEqual([
    scripts,
    true,
    styles,
    true,
  ])
  expect(first.filter(({ type }) => type === 'Font')).toEqual([])
  await context.close()
})

test.each(['/today', '/calendar/week/2026-03-04'])('%s comes in few requests', async (address) => {
  const { page, context } = await client.open({ as: ada })
  const requests = (await transfersOf(page, address)).length
  expect([requests, requests <= MAX.requests]).toEqual([requests, true])
  await context.close()
})

test.each([
  ['/sign-in', ['EnterPages'], ['/api/auth/status']],
  ['/today', ['Frame'], ['/api/auth/status', '/api/settings', '/api/changes']],
  ['/todos', ['Frame', 'TodosPage'], ['/api/auth/status', '/api/settings', '/api/changes']],
])(
  '%s asks for what it shows, and for whom, while the code that draws it is on its way',
  async (address, parts, calls) => {
    const { page, context } = await client.open(address === '/sign-in' ? {} : { as: ada })
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    const release = await hold(page, '**/assets/main-*.js')
    await page.goto(address, { waitUntil: 'commit' })
    for (const isFile of await Promise.all(parts.map(isFileOf)))
      await eventually(async () => asked.some(isFile), true)
    for (const path of calls)
      await eventually(async () => asked.some(({ pathname }) => pathname === path), true)
    release()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await context.close()
  },
)

test.each(['/sign-in', '/today', '/calendar/week/2026-03-04'])(
  'a second visit of %s transfers next to nothing of the client',
  async (address) => {
    const { page, context } = await client.open(address === '/sign-in' ? {} : { as: ada })
    expect((await transfersOf(page, address)).map(({ path }) => path)).toContain(address)
    const second = await transfersOf(await context.newPage(), address)
    const transferred = second.reduce((sum, { bytes }) => sum + bytes, 0)
    expect([transferred, transferred <= MAX.secondVisit]).toEqual([transferred, true])
    await context.close()
  },
)

/** What a file weighs in one encoding, and which encoding it has then. */
async function served(path: string, accepted: string) {
  const headers = { accept: 'text/html', 'accept-encoding': accepted }
  const answer = await client.h.app.fetch(new Request(`${client.origin}${path}`, { headers }))
  const encoding = answer.headers.get('content-encoding')
  const cached = answer.headers.get('cache-control')
  return { text: answer, encoding, cached, bytes: (await answer.clone().arrayBuffer()).byteLength }
}

test('every script and style of the build is served as brotli and as gzip, both within their limit, and kept for ever', async () => {
  const page = await (await served('/', 'identity')).text.text()
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(files.length).toBeGreaterThan(2)
  for (const path of files) {
    const [whole, gzip, br] = await Promise.all([
      served(path, 'identity'),
      served(path, 'gzip'),
      served(path, 'br'),
    ])
    for (const { cached } of [whole, gzip, br]) expect(cached).toContain('immutable')
    const isWorthIt = whole.bytes > KB
    expect([path, gzip.encoding, br.encoding]).toEqual([
      path,
      isWorthIt ? 'gzip' : null,
      isWorthIt ? 'br' : null,
    ])
    expect(gzip.bytes).toBeLessThanOrEqual(path.endsWith('.css') ? MAX.styles : MAX.scripts)
    expect(br.bytes).toBeLessThanOrEqual(gzip.bytes)
  }
})
