import type { Page } from 'playwright-core'

/** By how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Controls, headings and labels whose text is cut by their own box, with what shows how. What happens in the time grid may be
 * cut, as its size tells its length, and so may a line that ends in dots on purpose.
 */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const topmost = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    return [
      ...topmost.querySelectorAll<HTMLElement>('button, a, label, legend, h1, h2, h3, th, [role=menuitem]'),
    ]
      .filter((element) => {
        const { overflowX, textOverflow, display } = getComputedStyle(element)
        const isHidden = element.closest('.visually-hidden, [hidden], [role=grid]') !== null
        return !isHidden && display !== 'inline' && overflowX !== 'visible' && textOverflow !== 'ellipsis'
      })
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .map((element) => element.outerHTML.slice(0, 160))
  })

/** Visible texts that stick out of the window at its sides, where nobody can read them. */
export const offPage = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const topmost = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    return [...topmost.querySelectorAll<HTMLElement>('button, a, input, select, textarea, h1, h2, p, label')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => {
        const { left, right, width, bottom } = element.getBoundingClientRect()
        const scrolls = element.closest('[role=grid], .calendar-body, .skip-link') !== null
        return !scrolls && width > 1 && bottom > 0 && (left < -1 || right > innerWidth + 1)
      })
      .map((element) => element.outerHTML.slice(0, 160))
  })
