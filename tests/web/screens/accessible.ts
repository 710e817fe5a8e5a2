import { afterAll, beforeAll, expect } from 'bun:test'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import type { SCREENS } from '../../support/web'
import { keepPicture, screensOn, startWalks, type Walks } from './walk'

/** Declares the tests of every screen that a desktop or a phone has, each in both colour schemes and as each of its viewers. */
export function testAccessibility(screen: keyof typeof SCREENS): void {
  let walks: Walks
  beforeAll(async () => {
    walks = await startWalks()
  }, 120_000)
  afterAll(() => walks[Symbol.asyncDispose]())

  for (const entry of screensOn(screen))
    test(`${entry.name}: axe-core finds nothing wrong on a ${screen}, in the light and the dark scheme`, async () => {
      await walks.visit(entry, { screen }, async ({ page, viewer }) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect([viewer, colorScheme, await axeProblems(page)]).toEqual([viewer, colorScheme, []])
          await keepPicture(page, screen, entry.name, viewer, colorScheme)
        }
      })
    })
}
