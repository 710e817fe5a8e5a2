import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { xmlReader } from '../../src/adapters/xml'
import { childOf } from '../../src/lib/xml/element'
import { caldav, dav } from '../../src/lib/xml/names'
import { basic, DAV_SCOPES, multigetOf, PREFIXES, propfindOf, syncOf } from '../support/dav'
import { KINDS } from '../support/dav-kinds'
import { freshDatabaseUrl } from '../support/database'
import { needing } from '../support/needing'
import { nginxPath, send, startNginx } from '../support/nginx'
import { freePort, startService } from '../support/service'

setDefaultTimeout(60_000)

const stack = new AsyncDisposableStack()
const ADA = { username: 'ada', password: 'a long and winding sentence' }
const ENV = {
  SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
  PUBLIC_URL: 'https://organiser.example',
  TRUSTED_PROXIES: '127.0.0.1/32',
}
const MIB = 1024 * 1024
const FROM = '127.0.0.100'

let proxy: Awaited<ReturnType<typeof startNginx>>
/** The same service without `DAV_ALLOW_HTTP`. */
let strict: Awaited<ReturnType<typeof startNginx>>
let authorization: string
let home: string

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request with the app password; bodies are sent with their length. */
const ask = (method: string, target: string, { headers = {}, body }: Sent = {}) =>
  send(proxy.url, {
    from: FROM,
    method,
    target,
    headers: { authorization, ...lengthOf(body), ...headers },
    ...(body !== undefined && { body }),
  })

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined
    ? {}
    : { 'content-length': String(Buffer.byteLength(body)), 'content-type': 'application/xml; charset=utf-8' }

const xmlOf = ({ body }: { readonly body: unknown }) => xmlReader.read(String(body))

needing('nginx', nginxPath !== null).describe(
  '/dav behind nginx with the configuration of src/deploy',
  () => {
    beforeAll(async () => {
      const database = stack.use(await freshDatabaseUrl())
      const env = { ...ENV, DATABASE_URL: database.url }
      const service = stack.use(await startService({ env: { ...env, DAV_ALLOW_HTTP: 'on' } }))
      const strictService = stack.use(await startService({ env }))
      proxy = stack.use(await startNginx(service.port))
      strict = stack.use(await startNginx(strictService.port))
      const setUp = await service.post('/api/auth/setup', ADA)
      const cookie = setUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const made = await service.post('/api/auth/tokens', { name: 'Phone', scopes: DAV_SCOPES }, { cookie })
      const { token } = (await made.json()) as { token: string }
      authorization = basic(ADA.username, token)
      const principal = await ask('PROPFIND', '/dav/', {
        body: propfindOf(['d:current-user-principal']),
        headers: { depth: '0' },
      })
      home = `/dav/calendars/${/principals\/(\d+)\//.exec(String(principal.body))?.[1]}/`
    })
    afterAll(() => stack.disposeAsync())

    test('clients that know only the host find /dav, by a path alone', async () => {
      for (const path of ['/.well-known/caldav', '/.well-known/carddav/'])
        for (const method of ['GET', 'PROPFIND', 'HEAD', 'OPTIONS']) {
          const { status, headers } = await send(proxy.url, { from: FROM, method, target: path })
          expect([path, method, status, headers.location]).toEqual([path, method, 301, '/dav/'])
        }
      for (const path of ['/', '/principals/', '/dav', '/dav/']) {
        const options = await send(proxy.url, { from: FROM, method: 'OPTIONS', target: path })
        expect([path, options.status, options.headers.dav]).toEqual([
          path,
          200,
          expect.stringContaining('calendar-access'),
        ])
        const asked = await send(proxy.url, { from: FROM, method: 'PROPFIND', target: path })
        expect([path, asked.status]).toEqual([path, 401])
        expect(asked.headers['www-authenticate']).toStartWith('Basic ')
        expect(xmlOf(asked).name).toBe(dav('error'))
      }
    })

    test.each(KINDS)('$name are made, put, listed, reported, changed and deleted', async (kind) => {
      const path = `/dav/${kind.home}/${home.split('/')[3]}/through-${kind.name}/`
      const { method, body } = kind.make
      expect((await ask(method, path, { body })).status).toBe(201)
      const text = kind.textOf('one@phone', 'Lunch')
      const put = await ask('PUT', `${path}one.${kind.extension}`, {
        body: text,
        headers: { 'content-type': kind.type, 'if-none-match': '*' },
      })
      expect([put.status, put.headers.etag]).toEqual([201, expect.stringMatching(/^"\d+-\d+"$/)])
      const read = await ask('GET', `${path}one.${kind.extension}`)
      expect([read.status, read.body, read.headers.etag]).toEqual([200, text, put.headers.etag])
      const listed = await ask('PROPFIND', path, { body: propfindOf(['d:getetag']), headers: { depth: '1' } })
      expect([listed.status, String(listed.body)]).toEqual([207, expect.stringContaining(`${path}one.`)])
      const named = multigetOf([`${path}one.${kind.extension}`], [kind.data])
      for (const report of [named.replaceAll('c:calendar-multiget', kind.multiget), syncOf(''), kind.query]) {
        const reported = await ask('REPORT', path, { body: report })
        expect([reported.status, xmlOf(reported).name]).toEqual([207, dav('multistatus')])
        expect(String(reported.body)).toContain(`${path}one.`)
      }
      const patch = `<d:propertyupdate ${PREFIXES}><d:set><d:prop><d:displayname>Named</d:displayname></d:prop></d:set></d:propertyupdate>`
      expect((await ask('PROPPATCH', path, { body: patch })).status).toBe(207)
      expect(
        (
          await ask('DELETE', `${path}one.${kind.extension}`, {
            headers: { 'if-match': put.headers.etag ?? '' },
          })
        ).status,
      ).toBe(204)
      expect((await ask('DELETE', path)).status).toBe(204)
      expect((await ask('PROPFIND', path, { headers: { depth: '0' } })).status).toBe(404)
    })

    test('the spelling of a name reaches the service as it was sent', async () => {
      const [kind] = KINDS
      if (!kind) throw new Error('no kind')
      const path = `${home}spelled/`
      await ask(kind.make.method, path, { body: kind.make.body })
      const body = kind.textOf('a', 'A')
      expect((await ask('PUT', `${path}a%40b%20%C3%84%3A%25.ics`, { body })).status).toBe(201)
      for (const name of ['a@b%20%c3%84:%25.ics', '%61%40b%20%C3%84%3a%25.ics'])
        expect([name, (await ask('GET', path + name)).body]).toEqual([name, body])
      const listed = await ask('PROPFIND', path, { body: propfindOf(['d:getetag']), headers: { depth: '1' } })
      expect(String(listed.body)).toContain(`<d:href>${path}a@b%20%C3%84:%25.ics</d:href>`)
      for (const name of ['a%2Fb.ics', '%2e%2e', 'a%00.ics', `a.ics/b`])
        expect([name, (await ask('PUT', path + name, { body })).status]).not.toEqual([name, 201])
    })

    test('a body of ten megabytes reaches the service, which says what is too large; a larger one is refused in XML', async () => {
      const body = 'x'.repeat(10 * MIB)
      const put = await ask('PUT', `${home}calendar-1/x.ics`, { body })
      expect(put.headers['content-type']).toStartWith('application/xml')
      expect([put.status, childOf(xmlOf(put), caldav('max-resource-size'))]).toEqual([403, expect.anything()])
      const report = await ask('REPORT', home, { body })
      expect([report.status, xmlOf(report).name]).toEqual([413, dav('error')])
      const refused = await ask('PUT', `${home}calendar-1/x.ics`, { body: body + body })
      expect([refused.status, refused.headers['content-type']]).toEqual([
        413,
        'application/xml; charset=utf-8',
      ])
      expect(xmlOf(refused).name).toBe(dav('error'))
      const headers = { authorization, 'transfer-encoding': 'chunked' }
      const target = `${home}calendar-1/x.ics`
      const chunked = await send(proxy.url, { from: FROM, method: 'PUT', target, headers, body: body + body })
      expect([403, 413]).toContain(chunked.status)
      expect(xmlOf(chunked).name).toBe(dav('error'))
    })

    test('app passwords are refused where nginx was reached over http, whatever the client claims', async () => {
      for (const headers of [{}, { 'x-forwarded-proto': 'https' }, { 'x-forwarded-proto': 'http, https' }]) {
        const { status } = await send(strict.url, {
          from: FROM,
          method: 'PROPFIND',
          target: '/dav/',
          headers: { authorization, depth: '0', ...headers },
        })
        expect(status).toBe(403)
      }
    })

    const expectBusy = (answer: Awaited<ReturnType<typeof send>>) => {
      expect(answer.status).toBe(503)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/xml; charset=utf-8',
        'retry-after': '6',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      expect(xmlOf(answer).name).toBe(dav('error'))
    }

    test('without the service the answer is 503 in XML, and says when to come back', async () => {
      await using alone = await startNginx(await freePort())
      for (const method of ['PROPFIND', 'PUT', 'DELETE', 'GET', 'REPORT'])
        expectBusy(await send(alone.url, { from: FROM, method, target: '/dav/calendars/1/' }))
    })

    test('a client with more connections than it may have is told 503 and never 429', async () => {
      const held: Socket[] = []
      // It answers nobody but who asks whether nginx has started.
      const silent = createServer((socket) => {
        socket.on('data', (chunk) => {
          if (String(chunk).startsWith('GET /health'))
            socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
          else held.push(socket)
        })
      }).listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const address = silent.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      await using crowded = await startNginx(address.port).catch((error: unknown) => {
        silent.close()
        throw error
      })
      const port = Number(new URL(crowded.url).port)
      const sockets = Array.from({ length: 64 }, () =>
        connect({ port, host: '127.0.0.1', localAddress: FROM }),
      )
      for (const socket of sockets) socket.write('GET /dav/ HTTP/1.1\r\nHost: x\r\n\r\n')
      while (held.length < 64) await Bun.sleep(10)
      expectBusy(await send(crowded.url, { from: FROM, method: 'PROPFIND', target: '/dav/' }))
      for (const socket of [...sockets, ...held]) socket.destroy()
      silent.close()
    })
  },
)
