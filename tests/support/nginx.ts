import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readmeBlock, substitute } from './readme'
import { freePort, started } from './service'

/** Debian keeps it out of an ordinary user's PATH. */
export const nginxPath = Bun.which('nginx', {
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`,
})

/**
 * nginx with the configuration of the README, in front of a service on `upstreamPort`. Nothing of it is changed but
 * where it listens, where the service is, and where its files are.
 */
export async function startNginx(upstreamPort: number) {
  if (nginxPath === null) throw new Error('nginx is not installed')
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'organiser-nginx-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755) // Started by root, its workers are another user.
  const port = await freePort()
  const configuration = substitute(await readmeBlock('nginx nginx.conf'), {
    'listen 8080;': `listen 127.0.0.1:${port};`,
    'server organiser:3000;': `server 127.0.0.1:${upstreamPort};`,
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
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** A request from an address of its own, which `fetch` cannot choose; answers the parsed JSON body. */
export function send(url: string, { from, method = 'GET', headers = {}, body }: Sent): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const outgoing = request(url, {
    method,
    localAddress: from,
    agent: false,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
  outgoing.on('error', reject)
  outgoing.on('response', (incoming) => {
    const { statusCode: status = 0, headers: received } = incoming
    text(incoming).then((json) => resolve({ status, headers: received, body: JSON.parse(json) }), reject)
  })
  outgoing.end(body)
  return promise
}
