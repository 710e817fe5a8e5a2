import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { SCROLL_STYLE_HASH } from '../../../src/http/web-client'

test('the policy of the page allows the one style that React Aria adds on iOS, as its package writes it', async () => {
  const file = Bun.resolveSync('react-aria/package.json', import.meta.dir).replace(
    'package.json',
    'dist/private/overlays/usePreventScroll.mjs',
  )
  const [, style = ''] = /style\.textContent = `([^`]*)`\.trim\(\)/.exec(await Bun.file(file).text()) ?? []
  expect(SCROLL_STYLE_HASH).toBe(`sha256-${createHash('sha256').update(style.trim()).digest('base64')}`)
})
