import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { test } from '../../support/browser'
import { cutTexts, offPage, overflowOf } from './overflow'
import { rawTexts } from './raw-texts'
import { screensOn, startWalks, type Walks } from './walk'

/** Icons that point along the line and are not turned round, or the other way about. */
const misdirected = (page: Page) =>
  page.evaluate(() => {
    const isTurned = (icon: Element) => getComputedStyle(icon).transform.startsWith('matrix(-1')
    return [...document.querySelectorAll('svg.icon')].flatMap((icon) =>
      icon.hasAttribute('data-directed') === isTurned(icon) ? [] : [icon.outerHTML.slice(0, 120)],
    )
  })

/** Declares the tests of every screen in a pseudo-locale, on a phone and, without opening it again, as wide as a desktop. */
export function testLanguage(language: 'en-XA' | 'ar-XB'): void {
  let walks: Walks
  beforeAll(async () => {
    walks = await startWalks()
  }, 120_000)
  afterAll(() => walks[Symbol.asyncDispose]())

  const direction = language === 'ar-XB' ? 'rtl' : 'ltr'
  for (const entry of screensOn('phone'))
    test(`${entry.name}: in ${language} no text is raw, cut or outside the page, and what points along the line points ${direction}`, async () => {
      await walks.visit(entry, { screen: 'phone', language }, async ({ page, viewer }) => {
        expect(await page.locator('html').getAttribute('dir')).toBe(direction)
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 740 })
          const found = {
            raw: await rawTexts(page, { language, names: [...walks.life.names, ...walks.life.people] }),
            overflow: await overflowOf(page),
            cut: await cutTexts(page),
            off: await offPage(page),
            misdirected: direction === 'rtl' ? await misdirected(page) : [],
          }
          expect([viewer, width, found]).toEqual([
            viewer,
            width,
            { raw: [], overflow: 0, cut: [], off: [], misdirected: [] },
          ])
        }
      })
    })
}
