import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { startGallery } from '../../support/gallery'

let gallery: Awaited<ReturnType<typeof startGallery>>
beforeAll(async () => {
  gallery = await startGallery()
}, 60_000)
afterAll(() => gallery[Symbol.asyncDispose]())

const LOOKS = {
  light: { theme: 'light' },
  dark: { theme: 'dark' },
  'forced colours': { options: { forcedColors: 'active' } },
  'a right-to-left language': { language: 'ar-XB' },
  'a language that is 40 % longer': { language: 'en-XA' },
  'more contrast': { options: { contrast: 'more' } },
} as const

const widths = (page: Page) =>
  page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const)

/** Opens what hides until somebody asks for it, one after the other. */
const OVERLAYS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a menu': async (page) => {
    await page.locator('[aria-haspopup="menu"]').first().click()
    await page.getByRole('menu').waitFor()
  },
  'a dialog': async (page) => {
    await page.locator('section').nth(2).getByRole('button').first().click()
    await page.getByRole('dialog').waitFor()
  },
  'a list to choose from': async (page) => {
    await OVERLAYS['a dialog']?.(page)
    await page.getByRole('combobox', { name: 'Owner' }).fill('a')
    await page.getByRole('option', { name: 'Grace' }).waitFor()
  },
  messages: async (page) => {
    for (const place of [2, 3, 4]) await page.locator('section').nth(2).getByRole('button').nth(place).click()
    await page.getByRole('alert').last().waitFor()
  },
}

for (const screen of ['desktop', 'phone'] as const) {
  describe(`on a ${screen}`, () => {
    for (const [name, look] of Object.entries(LOOKS)) {
      test(`all parts are accessible and fit into the window in ${name}`, async () => {
        const page = await gallery.open('/gallery', { screen, ...look })
        expect(await axeProblems(page)).toEqual([])
        const [needed, given] = await widths(page)
        expect(needed).toBeLessThanOrEqual(given)
        await page.context().close()
      })
    }
    for (const [name, show] of Object.entries(OVERLAYS)) {
      test(`${name} is accessible when it is open, in both schemes`, async () => {
        for (const theme of ['light', 'dark'] as const) {
          const page = await gallery.open('/gallery', { screen, theme })
          await show(page)
          expect([theme, await axeProblems(page)]).toEqual([theme, []])
          await page.context().close()
        }
      })
    }
  })
}

test('every target is at least 24 pixels wide and high, and 44 on touch', async () => {
  for (const [screen, least] of [
    ['desktop', 24],
    ['phone', 44],
  ] as const) {
    const page = await gallery.open('/gallery', { screen })
    const small = await page.evaluate(
      (size) =>
        [...document.querySelectorAll('button, input, select, textarea, a[href]')].flatMap((control) => {
          const { width, height } = (control.closest('.radio') ?? control).getBoundingClientRect()
          return Math.min(width, height) + 0.5 < size ? [`${control.outerHTML} ${width} × ${height}`] : []
        }),
      least,
    )
    expect(small).toEqual([])
    await page.context().close()
  }
})

test('nothing is animated for somebody who asked for less motion', async () => {
  const page = await gallery.open('/gallery', { options: { reducedMotion: 'reduce' } })
  await OVERLAYS['a dialog']?.(page)
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 10)
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
  )
  expect(moving).toEqual([])
  await page.context().close()
})
