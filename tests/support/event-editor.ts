import type { Page } from 'playwright-core'

/** The fields of the event editor, and what tests do with them. */
export const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
export const startDate = (page: Page) => page.getByRole('textbox', { name: 'Start date' })
export const startTime = (page: Page) => page.getByRole('combobox', { name: 'Start time' })
export const endDate = (page: Page) => page.getByRole('textbox', { name: 'End date' })
export const endTime = (page: Page) => page.getByRole('combobox', { name: 'End time' })
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
export const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
export const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    return element?.labels?.[0]?.textContent ?? element?.textContent ?? element?.tagName
  })
