import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { PAGE_POLICY } from '../../src/http/web-client'
import { launchBrowser } from './browser'
import { SCREENS, watch } from './web'

interface Look {
  readonly screen?: keyof typeof SCREENS
  readonly language?: 'en' | 'de' | 'en-XA' | 'ar-XB'
  readonly theme?: 'light' | 'dark'
  readonly options?: BrowserContextOptions
}

/** The gallery of parts in a browser, under the client's own policy and without a service: every request to it is offline. */
export async function startGallery() {
  const folder = await mkdtemp(join(tmpdir(), 'gallery-'))
  const build = Bun.spawn(['bun', 'src/web/build.ts', '--gallery', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if ((await build.exited) !== 0) throw new Error('The gallery could not be built')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/assets/')) return new Response(Bun.file(join(folder, pathname)))
      if (/^\/(api|icons|manifest)/.test(pathname)) return Response.json({}, { status: 200 })
      const page = Bun.file(join(folder, 'shell.html'))
      return new Response(page, { headers: { 'content-security-policy': PAGE_POLICY } })
    },
  })
  const origin = `http://localhost:${server.port}`
  const browser = await launchBrowser()
  if (!browser) throw new Error('Chromium is missing')
  const complaints: string[] = []

  async function open(
    path: string,
    { screen = 'desktop', language, theme, options }: Look = {},
  ): Promise<Page> {
    const context = await browser?.newContext({
      baseURL: origin,
      locale: 'en-GB',
      ...SCREENS[screen],
      ...options,
    })
    if (!context) throw new Error('Chromium is missing')
    await context.addInitScript(
      (kept) => {
        for (const [key, value] of Object.entries(kept)) if (value) localStorage.setItem(key, value)
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          reportError(new Error(`policy: ${violatedDirective} ${blockedURI}`)),
        )
      },
      { language, theme },
    )
    const page = await context.newPage()
    watch(page, origin, complaints)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }

  return {
    open,
    complaints,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server.stop(true)
      await rm(folder, { recursive: true })
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    },
  }
}
