import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'

/** More stops than any page has. */
const MAX_STOPS = 200

/** What has the focus: a description for failures, whether it is more than the page itself, and how wide its outline is. */
const focusOf = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    const isSomewhere = element !== null && element !== document.body && element !== document.documentElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element ?? document.body)
    return {
      what: element?.outerHTML.slice(0, 120) ?? '',
      isSomewhere,
      outlinePx: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
    }
  })

/** Goes on by Tab to the target, as somebody without a mouse does: every stop on the way shows that it has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let stop = 0; !(await isThere()); stop++) {
    if (stop === MAX_STOPS) throw new Error(`Tab does not reach ${target.toString()}`)
    await page.keyboard.press('Tab')
  }
  const focus = await focusOf(page)
  expect(focus).toMatchObject({ isSomewhere: true })
  expect([focus.what, focus.outlinePx >= 2]).toEqual([focus.what, true])
}

/** Types into the field that Tab reaches, at the pace of a person who types well. */
export async function typeInto(page: Page, target: Locator, text: string, delayMs = 0): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text, { delay: delayMs })
}

/** Presses the button that Tab reaches. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}
