import type { Page } from 'playwright-core'

/** Names that are the same in every language, what a walk types, and what React Aria says, which has no pseudo-locale. */
const UNTRANSLATED = ['Organiser', 'English', 'Deutsch', 'Ctrl', 'Alt', 'Shift', 'Esc', 'Enter', 'Tab', 'Home', 'End', 'Delete', 'GMT', 'UTC', 'Lunch', 'with', 'Sam', 'Mine', 'Lengthened (for tests)', 'Right to left (for tests)', 'Dismiss'] // prettier-ignore

/** The words of `Intl` for days and months, which are British in the pseudo-locales. */
const DATE_WORDS = (['long', 'short', 'narrow'] as const).flatMap((style) => {
  const words = Array.from({ length: 12 }, (_, month) =>
    Array.from({ length: 7 }, (__, day) =>
      new Date(Date.UTC(2026, month, day + 1)).toLocaleDateString('en-GB', {
        timeZone: 'UTC',
        weekday: style,
        month: style,
      }),
    ),
  )
  return words.flat().flatMap((text) => text.split(/[^A-Za-z]+/))
})

/** What a zone is called where there is little room. */
const CITIES = Intl.supportedValuesOf('timeZone').map(
  (zone) => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? '',
)

interface ReadTexts {
  readonly language: 'en-XA' | 'ar-XB'
  /** What people call themselves and their things. */
  readonly names: readonly string[]
}

/**
 * Texts on the page that no message of the client made: in `en-XA` those stand in brackets, in `ar-XB` between marks of
 * direction, each of which is left out here, as are dates, zones and what people typed.
 */
export async function rawTexts(page: Page, { language, names }: ReadTexts): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const topmost = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const walker = document.createTreeWalker(topmost, NodeFilter.SHOW_TEXT)
    const found: string[] = [document.title]
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: parent } = node
      // Zones are names of places, and codes and keys are the same everywhere.
      if (parent && !parent.closest('script, style, noscript, code, kbd, option[value*="/"]'))
        found.push(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'data-text'])
      for (const element of topmost.querySelectorAll(`[${name}]`))
        found.push(element.getAttribute(name) ?? '')
    return found
  })
  const made = language === 'en-XA' ? /\[[^[\]]*~\]/g : /\u202e[^\u202e\u202c]*\u202c/g
  const known = [...names, ...UNTRANSLATED, ...CITIES].toSorted((a, b) => b.length - a.length)
  const isRaw = (text: string) => {
    let rest = withoutMade(text, made)
    for (const name of known) rest = rest.replaceAll(name, ' ')
    const words = rest.replace(/\b[A-Z]\w+\/[\w/]+/g, ' ').match(/\p{L}{2,}/gu) ?? []
    return words.some((word) => !DATE_WORDS.includes(word))
  }
  return [...new Set(texts.filter(isRaw))]
}

/** Messages stand in messages: the innermost go first. */
function withoutMade(text: string, made: RegExp): string {
  const less = text.replace(made, ' ')
  return less === text ? text : withoutMade(less, made)
}
