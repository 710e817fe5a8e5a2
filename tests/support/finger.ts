import type { Locator, Page } from 'playwright-core'

/** One finger of a real touch screen, from where it is put down on an element. */
export async function putFinger(page: Page, on: Locator) {
  const session = await page.context().newCDPSession(page)
  const box = await on.boundingBox()
  if (!box) throw new Error('The element is not shown')
  let at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] })
  await send('touchStart')
  return {
    /** Moves in steps, as a finger does. */
    by: async (dx: number, dy: number) => {
      for (let step = 0; step < 8; step++) {
        at = { x: at.x + dx / 8, y: at.y + dy / 8 }
        await send('touchMove')
      }
    },
    up: () => send('touchEnd'),
  }
}
