import type { Page } from 'playwright-core'

/** What moves, or would with the next change, for longer than 10 ms. */
export const moving = (page: Page) =>
  page.evaluate(() => {
    const seconds = (list: string) => Math.max(...list.split(',').map((each) => Number.parseFloat(each)))
    const styled = [...document.querySelectorAll('*')].flatMap((element) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
      const lasts = animationName === 'none' ? 0 : seconds(animationDuration)
      return Math.max(lasts, seconds(transitionDuration)) > 0.01 ? [element.outerHTML.slice(0, 120)] : []
    })
    const running = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 10)
    return [...styled, ...running.map(() => 'a running animation')]
  })
