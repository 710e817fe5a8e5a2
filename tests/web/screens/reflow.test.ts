import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { moving } from './moving'
import { cutTexts, offPage, overflowOf } from './overflow'
import { screensOn, startWalks, type Walks } from './walk'

let walks: Walks
beforeAll(async () => {
  walks = await startWalks()
}, 120_000)
afterAll(() => walks[Symbol.asyncDispose]())

/** The spacing that WCAG 1.4.12 asks a page to bear. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }'

/** 320 pixels are those of WCAG 1.4.10; 640 are those of a laptop at twice the size. */
const WIDTHS = [
  [320, 640],
  [360, 740],
  [640, 400],
] as const

const LESS_MOTION = { screen: 'desktop', options: { reducedMotion: 'reduce' } } as const

const space = (page: Page) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, SPACING)

/** Until what is placed by the size of the window has heard that it changed: menus are. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )

async function expectToFit(page: Page, look: string): Promise<void> {
  await drawn(page)
  const found = { overflow: await overflowOf(page), cut: await cutTexts(page), off: await offPage(page) }
  expect([look, found]).toEqual([look, { overflow: 0, cut: [], off: [] }])
}

for (const entry of screensOn('desktop'))
  test(`${entry.name}: fits into 320 pixels, at 200 % zoom and with wide spacing, nothing is cut, and nothing moves for somebody who asked for less motion`, async () => {
    await walks.visit(entry, LESS_MOTION, async ({ page, viewer }) => {
      expect([viewer, await moving(page)]).toEqual([viewer, []])
      for (const [width, height] of WIDTHS) {
        await page.setViewportSize({ width, height })
        await expectToFit(page, `${viewer} ${width}`)
      }
      await space(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await expectToFit(page, `${viewer} spaced 360`)
      await page.setViewportSize({ width: 1280, height: 800 })
      await expectToFit(page, `${viewer} spaced 1280`)
    })
  })
