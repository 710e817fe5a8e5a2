import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { SCREENS, startClient } from '../../support/web'
import { beginLife } from './life'
import { ALL_SCREENS, type Viewer, type WebScreen } from './screens'

/** Where `PICTURES=1` leaves its pictures. */
const PICTURES = join(import.meta.dir, '../../../.pictures')

interface Walk {
  readonly screen: keyof typeof SCREENS
  readonly options?: BrowserContextOptions
  /** Given to the client before it starts. */
  readonly language?: 'de' | 'en-XA' | 'ar-XB'
}

interface Looked {
  readonly page: Page
  readonly viewer: Viewer
}

/** The client and its people, and one browser context for each viewer and walk, in which pages open one after the other. */
export async function startWalks() {
  const client = await startClient()
  const life = await beginLife(client.h)
  const contexts = new Map<string, BrowserContext>()

  async function contextOf(viewer: Viewer, { screen, options, language }: Walk): Promise<BrowserContext> {
    const key = JSON.stringify([viewer, screen, options, language])
    const known = contexts.get(key)
    if (known) return known
    const as = life.viewers[viewer]
    const { context, page } = await client.open({
      ...(as && { as }),
      options: { ...SCREENS[screen], bypassCSP: true, ...options },
    })
    await page.close()
    if (language)
      await context.addInitScript((chosen) => {
        if (location.protocol === 'http:') localStorage.setItem('language', chosen)
      }, language)
    contexts.set(key, context)
    return context
  }

  return {
    client,
    life,
    /** Opens a screen as each of its viewers and looks at it. */
    async visit(entry: WebScreen, walk: Walk, look: (looked: Looked) => Promise<void>): Promise<void> {
      for (const viewer of entry.as) {
        const context = await contextOf(viewer, walk)
        const page = await context.newPage()
        try {
          await entry.before?.(page)
          await page.goto(typeof entry.at === 'string' ? entry.at : entry.at(life))
          await settled(page, entry)
          await entry.show?.(page, life)
          await look({ page, viewer })
        } finally {
          await context.setOffline(false)
          await page.close()
        }
      }
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}
export type Walks = Awaited<ReturnType<typeof startWalks>>

/** The screens that a desktop or a phone has. */
export const screensOn = (screen: keyof typeof SCREENS): readonly WebScreen[] =>
  ALL_SCREENS.filter(({ only }) => only === undefined || only === screen)

async function settled(page: Page, { before }: WebScreen): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (before) return
  await page.waitForFunction(() => !document.querySelector('.skeleton, [data-loading]'))
}

/** Keeps a picture of what shows, if pictures are asked for. */
export async function keepPicture(page: Page, ...name: readonly string[]): Promise<void> {
  if (!process.env['PICTURES']) return
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(PICTURES, `${name.join(' ').replaceAll(' ', '-')}.png`) })
}
