import { topmostDialog } from '../parts/open-dialogs'

const FOCUSABLE =
  ':is(a[href], button, input, select, textarea, [tabindex="0"], h1[tabindex]):not(:disabled, .skip-link)'

/** Where the focus goes in a region: its current or first control. An empty one, such as "Messages" without any, is left out. */
const entryOf = (region: Element): HTMLElement | null =>
  region.querySelector<HTMLElement>('[aria-current="page"]') ?? region.querySelector<HTMLElement>(FOCUSABLE)

const isF6 = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) =>
  key === 'F6' && !(altKey || ctrlKey || metaKey)

/** Moves the focus to the next region, with Shift to the one before, round and round. The frame listens with it on the document. */
export function moveBetweenRegions(event: KeyboardEvent): void {
  if (!isF6(event) || event.defaultPrevented) return
  event.preventDefault()
  const root = topmostDialog.read() ?? document
  const entries = [...root.querySelectorAll('[data-region]')].flatMap((region) => {
    const entry = entryOf(region)
    return entry ? [{ region, entry }] : []
  })
  if (event.shiftKey) entries.reverse()
  const here = entries.findIndex(({ region }) => region.contains(document.activeElement))
  entries[(here + 1) % entries.length]?.entry.focus()
}
