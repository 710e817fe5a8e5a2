import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where Chromium is: where `CHROMIUM_PATH` says, else where the system keeps it; undefined where there is none. */
const chromiumPath = (): string | undefined =>
  (process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : CANDIDATES).find((path) => existsSync(path))

/** A test that did not run must not look like one that passed. */
export const warnNotRun = () => {
  // oxlint-disable-next-line no-console
  console.warn('NOT RUN: Chromium is missing; install it (apt-get install chromium) or set CHROMIUM_PATH')
}

/** The system's Chromium, which reaches this machine and no other host; undefined where it is missing, save in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) {
    if (process.env.CI) throw new Error('Chromium is missing')
    return undefined
  }
  return chromium.launch({
    executablePath,
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
