import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../support/browser'
import { freshDatabaseUrl } from '../../support/database'
import { freePort, ROOT, type Service, startService } from '../../support/service'
import { SCREENS, watch } from '../../support/web'

const COPIED = ['src', 'drizzle', 'package.json', 'bun.lock', 'tsconfig.json']
const ENV = { SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests', AUTH_RATE_LIMIT: 'off' }

/** The real service in a folder of its own, which can be built anew, stopped and started again, and a browser that visits it. */
export async function deploy() {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'organiser-deployed-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await build(folder)
  const database = stack.use(await freshDatabaseUrl())
  const port = await freePort()
  const startAgain = (env: Readonly<Record<string, string>> = {}) =>
    startService({
      cwd: folder,
      args: [join(folder, 'src/main.ts')],
      port,
      env: { ...ENV, DATABASE_URL: database.url, ...env },
    })
  let service: Service = await startAgain()
  stack.defer(() => service[Symbol.asyncDispose]())
  const browser = await launchBrowser()
  if (!browser) throw new Error('Chromium is missing')
  stack.defer(() => browser.close())
  const setUp = await service.post('/api/auth/setup', {
    username: 'ada',
    password: 'a lighthouse in spring',
    email: 'ada@example.org',
    birthday: '1990-01-01',
  })
  if (!setUp.ok) throw new Error(await setUp.text())
  const [, cookie = ''] = /session=([^;]+)/.exec(setUp.headers.get('set-cookie') ?? '') ?? []
  const context = await browser.newContext({ baseURL: service.url, locale: 'en-GB', ...SCREENS.desktop })
  await context.addCookies([{ name: 'session', value: cookie, url: service.url }])
  const complaints: string[] = []
  const origin = service.url
  context.on('page', (page) => watch(page, origin, complaints))
  const all = stack.move()
  return {
    context,
    url: origin,
    /** A tab at an address. */
    async open(path: string): Promise<Page> {
      const page = await context.newPage()
      await page.goto(path)
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      return page
    },
    stop: () => service.stop(),
    async start(env: Readonly<Record<string, string>> = {}) {
      service = await startAgain(env)
    },
    /** Builds the client anew with another text in it; the running service serves it from then on. */
    async change(file: string, from: string, to: string) {
      const path = join(folder, 'src/web', file)
      const text = await readFile(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not say: ${from}`)
      await writeFile(path, text.replace(from, to))
      await build(folder)
    },
    async [Symbol.asyncDispose]() {
      await all.disposeAsync()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    },
  }
}

async function build(folder: string): Promise<void> {
  const child = Bun.spawn(['bun', 'src/web/build.ts'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if ((await child.exited) !== 0) throw new Error('The web client could not be built')
}

/** Waits until the browser has kept the build whole, and serves the page from it. */
export async function isKept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
}
