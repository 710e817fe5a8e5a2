import { expect } from 'bun:test'
import { join } from 'node:path'
import { test } from '../../support/browser'
import { fillWeek, WEEK } from '../../support/filled-week'
import { startClient } from '../../support/web'

const ROOT = join(import.meta.dir, '../../..')

test('a filled week shows all its events; PICTURE=1 makes the picture of the README from it', async () => {
  await using client = await startClient()
  const ada = await client.h.signedIn({ username: 'ada' })
  await fillWeek(ada)

  const { page } = await client.open({ as: ada })
  await page.goto('/calendar/week/2026-03-04')
  const grid = page.getByRole('grid', { name: 'Week' })
  for (const [title, , from] of WEEK)
    await grid
      .getByRole('button', { name: new RegExp(`^${title},.* ${from} to`) })
      .first()
      .waitFor()
  await grid
    .getByRole('button', { name: /^Grandma visits,.* all day/ })
    .first()
    .waitFor()
  await page.getByRole('checkbox', { name: 'Pay rent' }).waitFor()
  await page.mouse.move(0, 0)
  const picture = await page.screenshot()
  if (process.env['PICTURE']) await Bun.write(join(ROOT, 'src/deploy/week.png'), picture)
  expect(await Bun.file(join(ROOT, 'README.md')).text()).toContain('](src/deploy/week.png)')
})
