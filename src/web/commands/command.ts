import type { IconName } from '../parts/Icon'
import { fold } from '../search/fold'

/** One option of the palette. */
export interface PaletteCommand {
  readonly id: string
  readonly label: string
  /** The heading below which it stands while nothing is typed. */
  readonly group: string
  readonly icon: IconName
  /** What does the same, as `useShortcuts` writes it. */
  readonly keys?: string | undefined
  /** What stands at its end: the type of something that was found. */
  readonly note?: string
  readonly run: () => void
}

/** An id of the page has no spaces. */
export const idOf = ({ id }: PaletteCommand): string => id.replaceAll(/[^\w-]/g, '-')

/** The palette never holds more. */
export const MOST_OPTIONS = 200

/** The commands of which each word that is typed begins a word, those first whose label begins so. */
export function matching(commands: readonly PaletteCommand[], typed: string): readonly PaletteCommand[] {
  const words = wordsIn(typed)
  if (words.length === 0) return commands
  const ranks = commands.map((command) => rankOf(command, words))
  const best = commands.map((command, place) => ({ command, rank: ranks[place] ?? 0 }))
  return best
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
}

const wordsIn = (text: string): readonly string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const begins = (texts: readonly string[]) => (word: string) => texts.some((text) => text.startsWith(word))

/** 0 when it does not match. */
function rankOf({ label, group }: PaletteCommand, words: readonly string[]): number {
  const [own, others] = [wordsIn(label), wordsIn(group)]
  if (!words.every(begins([...own, ...others]))) return 0
  if (!words.every(begins(own))) return 1
  return own[0]?.startsWith(words[0] ?? '') === true ? 3 : 2
}
