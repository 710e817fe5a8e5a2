import type { AssistantItem } from '../items/item'
import type { FoundPlace } from './question'
import type { ItemSource } from './sources'

/** The most items in an answer. */
const MOST_ITEMS = 50
/** The most pages of sources that are read for one answer: where most of what is read is left out, a cursor leads on. */
const MOST_PAGES = 20

interface FoundItem {
  readonly item: AssistantItem
  /** The place of the item itself. */
  readonly place: FoundPlace
}

/** Collects up to 50 items from the sources, one after the other; `rest` is where to go on, null at the end. */
export async function walk(sources: readonly ItemSource[], from: FoundPlace) {
  const found: FoundItem[] = []
  let place: FoundPlace | null = from
  for (let pages = 0; pages < MOST_PAGES && place && found.length < MOST_ITEMS; pages++) {
    const at: FoundPlace = place
    const page = await sources[at.source]?.(at.after)
    if (!page) return { found, rest: null }
    page.items.slice(at.skip).forEach((item, index) => {
      found.push({ item, place: { ...at, skip: at.skip + index } })
    })
    place = next(at, page.next, sources.length)
  }
  return { found: found.slice(0, MOST_ITEMS), rest: found[MOST_ITEMS]?.place ?? place }
}

function next({ source }: FoundPlace, after: string | null, count: number): FoundPlace | null {
  if (after !== null) return { source, after, skip: 0 }
  return source + 1 < count ? { source: source + 1, after: null, skip: 0 } : null
}
