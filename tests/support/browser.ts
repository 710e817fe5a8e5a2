import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { needing } from './needing'

const PICTURES = fileURLToPath(new URL('../../.pictures/failed', import.meta.url))
const LINES_OF_A_PAGE = 60

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where Chromium is: where `CHROMIUM_PATH` says, else where the system keeps it; undefined where there is none. */
export const chromiumPath = (process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : CANDIDATES).find(
  (path) => existsSync(path),
)

const { test: needingChromium } = needing('Chromium (or CHROMIUM_PATH)', chromiumPath !== undefined)

let launched: Browser[] = []

async function show(page: Page, name: string): Promise<void> {
  const path = `${PICTURES}/${name.replaceAll(/[^\w-]+/g, '-').slice(0, 100)}-${Date.now()}.png`
  await page.screenshot({ path, timeout: 5000 })
  const seen = (await page.locator('body').ariaSnapshot({ timeout: 5000 }))
    .split('\n')
    .filter((line) => !line.includes('- option '))
  const lines = [`When «${name}» failed, ${page.url()} was as in ${path}:`, ...seen.slice(0, LINES_OF_A_PAGE)]
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** Says what stood on each open page, and keeps its picture. */
async function showPages(name: string): Promise<void> {
  const pages = launched.flatMap((browser) => browser.contexts()).flatMap((context) => context.pages())
  // A page that is gone, or is stuck, is no second failure.
  await Promise.allSettled(pages.map((page) => show(page, name)))
}

function showing(name: string, run: () => unknown, timeoutMs?: number): void {
  const shown = async () => {
    try {
      await run()
    } catch (error) {
      await showPages(name)
      throw error
    }
  }
  needingChromium(name, shown, timeoutMs)
}

/** The `test` of what needs Chromium. Where it fails, it shows the pages that are open. */
export const test = Object.assign(showing, { each: needingChromium.each.bind(needingChromium) })

/** The system's Chromium, which reaches this machine and no other host; undefined where it is missing. */
export async function launchBrowser(): Promise<Browser | undefined> {
  if (chromiumPath === undefined) return undefined
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
  launched.push(browser)
  browser.on('disconnected', () => {
    launched = launched.filter((each) => each !== browser)
  })
  return browser
}
