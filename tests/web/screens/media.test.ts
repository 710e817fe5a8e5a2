import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { overflowOf } from './overflow'
import { ALL_SCREENS, type WebScreen } from './screens'
import { startWalks, type Walks } from './walk'

let walks: Walks
beforeAll(async () => {
  walks = await startWalks()
}, 120_000)
afterAll(() => walks[Symbol.asyncDispose]())

const named = (name: string): WebScreen => {
  const found = ALL_SCREENS.find((entry) => entry.name === name)
  if (!found) throw new Error(`There is no screen ${name}`)
  return found
}

/** Groups whose chosen value looks like one of the others. */
const hiddenChoices = (page: Page) =>
  page.evaluate(() => {
    const lookOf = (radio: Element) => {
      const label = radio.closest('label') ?? radio
      return [label, radio]
        .map((element) => {
          const { backgroundColor, borderColor, borderWidth, color, outline, boxShadow } =
            getComputedStyle(element)
          return [backgroundColor, borderColor, borderWidth, color, outline, boxShadow].join()
        })
        .join()
    }
    return [...document.querySelectorAll('[role=radiogroup]')]
      .filter((group) => {
        const [chosen] = [...group.querySelectorAll('input:checked')].map(lookOf)
        return [...group.querySelectorAll('input:not(:checked)')].map(lookOf).includes(chosen ?? '')
      })
      .map((group) => group.outerHTML.slice(0, 160))
  })

for (const name of ['sign-in', 'today', 'week', 'month', 'agenda', 'new event dialog', 'settings appearance'])
  for (const [look, media] of [
    ['forced colours', { forcedColors: 'active' }],
    ['more contrast', { contrast: 'more' }],
  ] as const)
    test(`${name}: axe-core finds nothing wrong with ${look}, and what is chosen looks different from what is not`, async () => {
      await walks.visit(named(name), { screen: 'desktop', options: media }, async ({ page }) => {
        expect(await axeProblems(page)).toEqual([])
        expect(await hiddenChoices(page)).toEqual([])
      })
    })

for (const name of ['week', 'agenda'])
  test(`${name}: print shows the whole period without navigation and controls, on paper that it fits`, async () => {
    await walks.visit({ ...named(name), as: ['filled'] }, { screen: 'desktop' }, async ({ page }) => {
      await page.emulateMedia({ media: 'print' })
      // A4 across, at 96 pixels an inch.
      await page.setViewportSize({ width: 1122, height: 793 })
      expect(await page.getByRole('navigation').count()).toBe(0)
      expect(await page.getByRole('banner').count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Next', exact: true }).count()).toBe(0)
      expect(await overflowOf(page)).toBe(0)
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.calendar, .calendar-body, main, .frame')]
          .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
          .filter((element) => getComputedStyle(element).overflowY !== 'visible')
          .map(({ className }) => className),
      )
      expect(cut).toEqual([])
      for (const title of ['Swimming', 'Workshop', 'Hike', 'Grandma visits'])
        expect([title, await page.getByRole('button', { name: new RegExp(`^${title},`) }).first().isVisible()]).toEqual([title, true]) // prettier-ignore
      expect((await page.pdf({ format: 'A4', landscape: true })).length).toBeGreaterThan(10_000)
    })
  })
