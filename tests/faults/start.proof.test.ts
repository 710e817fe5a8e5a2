import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort, type Service, spawnProgram, startService, until } from '../support/service'
import { dataFolder } from './data-folder'
import { isAlive } from './processes'

setDefaultTimeout(60_000)

const ADA = { username: 'ada', password: 'correct horse battery' }

/** Listens on a port of 127.0.0.1 until disposed, unless somebody else does already. */
async function occupy(port: number) {
  const listener = createServer()
  await new Promise<void>((resolve) => {
    listener.on('error', () => resolve()).listen(port, '127.0.0.1', () => resolve())
  })
  return {
    port,
    [Symbol.dispose]() {
      listener.close()
    },
  }
}

const sessionOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

describe('a start without any variable, in an empty folder and with port 3000 taken,', () => {
  const resources = new AsyncDisposableStack()
  let folder: Awaited<ReturnType<typeof dataFolder>>
  let service: Service
  beforeAll(async () => {
    folder = resources.use(await dataFolder())
    resources.use(await occupy(3000))
    service = resources.use(await startService({ env: {}, cwd: folder.root, port: null }))
    await until(() => service.stdout.includes('first account'))
  })
  afterAll(() => resources.disposeAsync())

  test('says where it serves, where the documentation is, and how the first account is made', async () => {
    const url = `http://localhost:${service.port}`
    expect(service.stdout).toContain(`Organiser serves on ${url}\n`)
    expect(service.stdout).toMatch(new RegExp(`documentation +${url}/api/docs\n`))
    expect(service.stdout).toContain('open it in a browser to make the first account')
    expect(service.stderr).toBe('')
    const page = await service.fetch('/api/docs')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toStartWith('text/html')
  })

  test('takes one of the next ports, and says so', () => {
    expect(service.port).toBeGreaterThan(3000)
    expect(service.stdout).toContain(`Port 3000 is taken: using ${service.port}.\n`)
  })

  test('keeps everything in .data of the folder', async () => {
    expect(await folder.server()).toMatchObject({ isReady: true })
    expect(await readdir(folder.root)).toEqual(['.data'])
    expect((await stat(join(folder.path, 'secret-key'))).mode & 0o777).toBe(0o600)
  })
})

describe('the embedded database', () => {
  test('keeps an acknowledged account and its session through SIGKILL, and is used again', async () => {
    await using folder = await dataFolder()
    const env = { DATA_DIR: folder.path }
    await using killed = await startService({ env })
    const setUp = await killed.post('/api/auth/setup', ADA)
    killed.kill('SIGKILL')
    expect(setUp.status).toBe(200)
    await killed.exited
    const leftOver = await folder.server()
    await using service = await startService({ env })
    const status = await service.fetch('/api/auth/status', { headers: { cookie: sessionOf(setUp) } })
    expect(await status.json()).toMatchObject({ authenticated: true, username: 'ada' })
    expect((await service.post('/api/auth/login', ADA)).status).toBe(200)
    expect(leftOver).toMatchObject({ isReady: true })
    expect(await folder.server()).toEqual(leftOver)
  })

  test('keeps an acknowledged account when it is killed itself', async () => {
    await using folder = await dataFolder()
    await using service = await startService({ env: { DATA_DIR: folder.path } })
    const setUp = await service.post('/api/auth/setup', ADA)
    const server = await folder.server()
    process.kill(server?.pid ?? 0, 'SIGKILL')
    expect(setUp.status).toBe(200)
    expect(await service.stop()).toBe(0)
    await using again = await startService({ env: { DATA_DIR: folder.path } })
    expect((await again.post('/api/auth/login', ADA)).status).toBe(200)
  })

  test('stops with the service, which ends with 0', async () => {
    await using folder = await dataFolder()
    await using service = await startService({ env: { DATA_DIR: folder.path } })
    const server = await folder.server()
    expect(await service.stop()).toBe(0)
    expect(server).toMatchObject({ isReady: true })
    expect(isAlive(server?.pid ?? 0)).toBe(false)
  })

  test('stops with a service that is told to while it starts', async () => {
    await using folder = await dataFolder()
    await using service = spawnProgram({
      env: { DATA_DIR: folder.path, PORT: String(await freePort()) },
    })
    const server = await until(() => folder.server())
    service.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    await until(() => !isAlive(server.pid))
    expect(service.stdout).not.toContain('Organiser serves')
  })

  test('is shared by a second service, which goes on when the first one stops', async () => {
    await using folder = await dataFolder()
    const env = { DATA_DIR: folder.path }
    await using first = await startService({ env })
    const cookie = sessionOf(await first.post('/api/auth/setup', ADA))
    const server = await folder.server()
    await using second = await startService({ env })
    expect(await first.stop()).toBe(0)
    expect(await folder.server()).toEqual(server)
    const status = await second.fetch('/api/auth/status', { headers: { cookie } })
    expect(await status.json()).toMatchObject({ authenticated: true })
    expect(await second.stop()).toBe(0)
    expect(await folder.server()).toBeUndefined()
  })
})

describe('a start that cannot succeed ends with 1 and', () => {
  const attempt = async (env: Record<string, string>) => spawnProgram({ env }).finished()

  test('says in one sentence that the port asked for is taken', async () => {
    using taken = await occupy(await freePort())
    const { port } = taken
    const { exitCode, stdout, stderr } = await attempt({ PORT: String(port), DATA_DIR: '/nonexistent' })
    expect(exitCode).toBe(1)
    expect(stderr).toBe(`Cannot listen on 127.0.0.1: port ${port} in use; set PORT to another one.\n`)
    expect(stdout).toBe('')
  })

  test('lists every problem of the configuration in one message', async () => {
    const { exitCode, stdout, stderr } = await attempt({
      PORT: 'http',
      DATABASE_URL: 'mysql://localhost/organiser',
      DATABASE_POOL: '0',
      TIME_ZONE: 'Mars/Olympus',
      LOG_LEVEL: 'chatty',
      AUTH_RATE_LIMIT: 'maybe',
    })
    expect(exitCode).toBe(1)
    const [headline, ...problems] = stderr.trimEnd().split('\n')
    expect(headline).toBe('Cannot start, because of the configuration:')
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'DATABASE_POOL',
      'TIME_ZONE',
      'LOG_LEVEL',
      'AUTH_RATE_LIMIT',
      'SECRET_KEYS',
    ])
      expect(problems.filter((line) => line.startsWith(`  - ${name} `))).toHaveLength(1)
    expect(problems).toHaveLength(7)
    expect(stdout).toBe('')
  })

  test('says in one line that the database is out of reach, without its password', async () => {
    const url = `postgres://organiser:not-to-be-seen@127.0.0.1:${await freePort()}/organiser`
    const keys = 'k1:faults-faults-faults-faults-faults'
    const port = String(await freePort())
    const { exitCode, stdout, stderr } = await attempt({ PORT: port, DATABASE_URL: url, SECRET_KEYS: keys })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^Cannot start: .+\n$/)
    expect(stdout + stderr).not.toContain('not-to-be-seen')
  })
})
