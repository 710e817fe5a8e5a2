import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { xmlReader } from '../../src/adapters/xml'
import { dav } from '../../src/lib/xml/names'
import { freshDatabaseUrl } from '../support/database'
import { basic, DAV_SCOPES, propfindOf, syncOf } from '../support/dav'
import { KINDS } from '../support/dav-kinds'
import { type Service, startService } from '../support/service'
import { tcpProxy } from './tcp-proxy'

setDefaultTimeout(120_000)

const ADA = { username: 'ada', password: 'correct horse battery' }
const [KIND] = KINDS
if (!KIND) throw new Error('no kind')
const LISTING = propfindOf(['d:getetag', KIND.data])

const resources = new AsyncDisposableStack()
let proxy: Awaited<ReturnType<typeof tcpProxy>>
let service: Service
let authorization: string
let path: string

beforeAll(async () => {
  const database = resources.use(await freshDatabaseUrl())
  proxy = resources.use(await tcpProxy(database.url))
  const env = { DATABASE_URL: proxy.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }
  service = resources.use(await startService({ env }))
  const cookie = (await service.post('/api/auth/setup', ADA)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await service.post('/api/auth/tokens', { name: 'Phone', scopes: DAV_SCOPES }, { cookie })
  authorization = basic(ADA.username, ((await made.json()) as { token: string }).token)
  const { id } = (await (await service.post(KIND.api, { name: 'Much' }, { cookie })).json()) as { id: number }
  const root = await ask('PROPFIND', '/dav/', propfindOf(['d:current-user-principal']))
  path = `/dav/${KIND.home}/${/principals\/(\d+)/.exec(await root.text())?.[1]}/${KIND.slug}-${id}/`
})
afterAll(() => resources.disposeAsync())

const ask = (method: string, target: string, body?: string) =>
  service.fetch(target, {
    method,
    headers: { authorization, depth: '1' },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })

/** Tells a phone to come back, and nothing that makes it delete its copy. */
async function expectBusy(answer: Response) {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(xmlReader.read(await answer.text()).name).toBe(dav('error'))
}

test('a phone that asks too much while the database stands still is told 503 and when to come back, and never 429', async () => {
  proxy.pause()
  const asking = Array.from({ length: 100 }, () => ask('PROPFIND', path, LISTING))
  await Promise.any(asking)
  proxy.resume()
  const answers = await Promise.all(asking)
  const busy = answers.filter(({ status }) => status !== 207)
  expect(busy.length).toBeGreaterThan(0)
  for (const answer of busy) await expectBusy(answer)
  for (const answer of answers.filter(({ status }) => status === 207))
    expect(xmlReader.read(await answer.text()).name).toBe(dav('multistatus'))
  expect((await ask('PROPFIND', path, LISTING)).status).toBe(207)
})

/** What comes of an answer while the connections to the database break, after its first piece. */
async function textThatBreaksOff({ body }: Response): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let breaking: Timer | undefined
  try {
    for await (const piece of body) {
      text += decoder.decode(piece, { stream: true })
      breaking ??= setInterval(() => proxy.reset(), 1)
    }
  } catch {
    // The connection ends with the answer.
  } finally {
    clearInterval(breaking)
  }
  return text
}

test('a listing whose database breaks away does not parse as whole, nor as any end of the collection', async () => {
  const padding = Array.from({ length: 700 }, (_, n) => `X-PADDING-${n}:${'x'.repeat(60)}`)
  for (let n = 0; n < 300; n++) {
    const { status } = await ask('PUT', `${path}${n}.${KIND.extension}`, KIND.textOf(`${n}`, `${n}`, padding))
    expect(status).toBe(201)
  }
  for (const [method, body] of [
    ['PROPFIND', LISTING],
    ['REPORT', syncOf('').replace('<d:getetag/>', `<d:getetag/><${KIND.data}/>`)],
  ] as const) {
    const whole = await (await ask(method, path, body)).text()
    expect(whole.match(/<d:href>/g)?.length).toBeGreaterThanOrEqual(300)
    const answer = await ask(method, path, body)
    expect(answer.status).toBe(207)
    const text = await textThatBreaksOff(answer)
    expect(text).toStartWith('<?xml')
    expect(text.length).toBeLessThan(whole.length)
    expect(() => xmlReader.read(text)).toThrow()
  }
})

test('without its database every method is told 503 and when to come back, but what needs none', async () => {
  proxy[Symbol.dispose]()
  const text = KIND.textOf('new', 'New')
  const object = `${path}1.${KIND.extension}`
  for (const [method, target, body] of [
    ['PROPFIND', path, LISTING],
    ['PROPFIND', '/dav/', LISTING],
    ['REPORT', path, syncOf('')],
    ['GET', object],
    ['PUT', object, text],
    ['DELETE', object],
    ['PROPPATCH', path, '<propertyupdate xmlns="DAV:"/>'],
    [KIND.make.method, `${path.replace(/[^/]+\/$/, '')}new/`, KIND.make.body],
  ] as const)
    await expectBusy(await ask(method, target, body))
  expect((await ask('OPTIONS', path)).status).toBe(200)
  expect((await ask('PROPFIND', '/.well-known/caldav')).status).toBe(301)
})
