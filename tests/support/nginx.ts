import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileText, substitute } from './readme'
import type { Transport } from './scenario/play'
import { freePort, started } from './service'

/** Debian keeps it out of an ordinary user's PATH. */
export const nginxPath = Bun.which('nginx', {
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`,
})

/**
 * nginx with the configuration of `src/deploy`, in front of services on these ports. Nothing of it is changed but where it
 * listens, where the services are, and where its files are.
 */
export async function startNginx(...upstreamPorts: readonly number[]) {
  if (nginxPath === null) throw new Error('nginx is not installed')
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'organiser-nginx-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755) // Started by root, its workers are another user.
  const port = await freePort()
  const configuration = substitute(await fileText('src/deploy/nginx.conf'), {
    'listen 8080;': `listen 127.0.0.1:${port};`,
    'server organiser:3000 max_fails=0;': upstreamPorts
      .map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`)
      .join(' '),
    ' /tmp/': ` ${folder}/`,
  })
  const file = join(folder, 'nginx.conf')
  await Bun.write(file, configuration)
  const stderr = Bun.file(join(folder, 'stderr'))
  const child = Bun.spawn({
    cmd: [nginxPath, '-e', 'stderr', '-p', folder, '-c', file, '-g', 'daemon off;'],
    stdio: ['ignore', 'ignore', stderr],
  })
  opened.defer(async () => {
    child.kill('SIGTERM')
    await child.exited
  })
  await started(
    child,
    async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).status > 0,
    () => stderr.text(),
  )
  const running = opened.move()
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

interface Sent {
  /** One of 127.0.0.0/8, all of which are this machine. */
  readonly from: string
  readonly method?: string
  /** The target as it is sent, where it is none that a URL can spell. */
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** A request from an address of its own, which `fetch` cannot choose. */
function exchange(url: string, { from, method = 'GET', target, headers = {}, body }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: IncomingHttpHeaders
    body: string
  }>()
  const path = target !== undefined && { path: target }
  const outgoing = request(url, { method, localAddress: from, agent: false, headers, ...path })
  outgoing.on('error', reject)
  outgoing.on('response', (incoming) => {
    const { statusCode: status = 0, headers: received } = incoming
    text(incoming).then((said) => resolve({ status, headers: received, body: said }), reject)
  })
  outgoing.end(body)
  return promise
}

/** A request from an address of its own; answers the parsed body where it is JSON. */
export async function send(url: string, { headers = {}, ...sent }: Sent): Promise<Received> {
  const type = sent.body !== undefined && { 'content-type': 'application/json' }
  const {
    status,
    headers: received,
    body,
  } = await exchange(url, { ...sent, headers: { ...type, ...headers } })
  const isJson = received['content-type']?.startsWith('application/json')
  return { status, headers: received, body: isJson ? JSON.parse(body) : body }
}

/** Each request from another address, so that nginx limits none of them. */
export function fromEverywhere(url: string): Transport {
  let count = 0
  return async ({ method, path, headers, body }) => {
    count++
    const from = `127.1.${count >> 8}.${count & 255}`
    // Unlike `fetch`, it announces no body of a DELETE by itself.
    const framed = {
      ...headers,
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const sent = { from, method, headers: framed, ...(body !== undefined && { body }) }
    const received = await exchange(`${url}${path}`, sent)
    const pairs = Object.entries(received.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    return { status: received.status, headers: new Headers(pairs), body: received.body }
  }
}
