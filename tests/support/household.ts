import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { basic, DAV_SCOPES } from './dav'
import { freshDatabaseUrl } from './database'
import { ROOT, startService } from './service'

const PASSWORD = 'correct horse battery staple'

export type Household = Awaited<ReturnType<typeof startHousehold>>

/** Somebody with a session and an app password at a running service, and the home folder of another machine of theirs. */
export async function startHousehold(stack: AsyncDisposableStack) {
  const database = stack.use(await freshDatabaseUrl())
  const service = stack.use(
    await startService({
      env: { SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests', DATABASE_URL: database.url },
    }),
  )
  const setUp = await service.post('/api/auth/setup', { username: 'ada', password: PASSWORD })
  const cookie = setUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  const json = async (method: string, path: string, body?: object): Promise<string> => {
    const headers = { cookie, 'content-type': 'application/json' }
    return (
      await service.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    ).text()
  }
  const { token }: { token: string } = JSON.parse(
    await json('POST', '/api/auth/tokens', { name: 'Laptop', scopes: DAV_SCOPES }),
  )
  const home = await mkdtemp(join(tmpdir(), 'organiser-home-'))
  stack.defer(() => rm(home, { recursive: true, force: true }))
  return {
    url: service.url,
    host: new URL(service.url).host,
    user: 'ada',
    token,
    authorization: basic('ada', token),
    home,
    /** Sends one request to the API with the session. */
    json,
    /** Writes a file into the home folder. */
    write: async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await Bun.write(join(home, path), text)
    },
    /** Runs a program in the home folder. @throws {Error} with what it said, where it fails. */
    run: async (cmd: readonly string[], stdin = ''): Promise<string> => {
      const child = Bun.spawn({
        cmd: [...cmd],
        cwd: home,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, LC_ALL: 'C.UTF-8' },
        stdin: new Blob([stdin]),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [said, complained, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      if (code !== 0) throw new Error(`${cmd.join(' ')}: ${code}\n${said}\n${complained}`)
      return said + complained
    },
  }
}

/** Configures vdirsyncer in the home folder as the guide says. */
export async function configureVdirsyncer({ url, token, write }: Household): Promise<void> {
  const guide = await Bun.file(join(ROOT, 'src/deploy/phones.md')).text()
  const [, config = ''] = /```ini\n([^]*?)```/.exec(guide) ?? []
  await write(
    '.config/vdirsyncer/config',
    config.replaceAll('https://organiser.example/', `${url}/`).replaceAll('org_…', token),
  )
}

/** An event as another program writes it, with a line that this service does not know. */
export const eventText = (
  uid: string,
  title: string,
  { start = 'DTSTART;TZID=Europe/Berlin:20260310T120000', more = [] as readonly string[] } = {},
): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Somebody//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260301T100000Z',
    start,
    'DURATION:PT1H',
    `SUMMARY:${title}`,
    'X-SOMETHING;PARAM="a:b":kept',
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
