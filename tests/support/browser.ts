import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { needing } from './needing'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where Chromium is: where `CHROMIUM_PATH` says, else where the system keeps it; undefined where there is none. */
export const chromiumPath = (process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : CANDIDATES).find(
  (path) => existsSync(path),
)

/** The `test` of what needs Chromium. */
export const { test } = needing('Chromium (or CHROMIUM_PATH)', chromiumPath !== undefined)

/** The system's Chromium, which reaches this machine and no other host; undefined where it is missing. */
export async function launchBrowser(): Promise<Browser | undefined> {
  if (chromiumPath === undefined) return undefined
  return chromium.launch({
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
}
