import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = await Bun.file(fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))).text()

/** The success criteria that the client keeps, and what axe-core calls best practice beyond them. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** A rule that the page breaks, with the elements that break it. */
export interface AccessibilityProblem {
  readonly rule: string
  readonly help: string
  readonly elements: readonly string[]
}

/**
 * What axe-core finds wrong with the page as it stands; an open modal dialog is all that it looks at then. Evaluating the
 * source as a debugger does passes the page's policy. Its messages quote colours and sizes, so that a failure explains itself.
 */
export async function axeProblems(page: Page): Promise<AccessibilityProblem[]> {
  await page.evaluate(SOURCE)
  // Colours in the middle of a transition are no colours of the page; what never ends, such as a sign of work, is left running.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    ),
  )
  return page.evaluate(async (rules) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: rules,
      resultTypes: ['violations'],
    })
    return violations.map(({ id, help, nodes }) => ({
      rule: id,
      help,
      elements: nodes.map(({ html, any, all, none }) =>
        [html, ...[...any, ...all, ...none].map(({ message }) => message)].join(' – '),
      ),
    }))
  }, RULES)
}
