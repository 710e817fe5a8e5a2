import type { XmlElement } from '../../lib/xml/element'
import { nfkd } from '../../lib/text'
import type { QueryProblem } from './effort'

/** How texts are compared (RFC 4790; RFC 5051). */
type Collation = 'i;ascii-casemap' | 'i;unicode-casemap' | 'i;octet'

const COLLATIONS: readonly Collation[] = ['i;ascii-casemap', 'i;unicode-casemap', 'i;octet']

type MatchType = 'equals' | 'contains' | 'starts-with' | 'ends-with'

const MATCH_TYPES: readonly MatchType[] = ['equals', 'contains', 'starts-with', 'ends-with']

/** A CALDAV:text-match or CARDDAV:text-match. */
export interface TextMatch {
  readonly collation: Collation
  readonly type: MatchType
  readonly isNegated: boolean
  /** As the collation compares it. */
  readonly wanted: string
}

const NOT_ASCII = /[^\0-\x7f]/u

/** The simple mapping of one character; a character that has several letters in upper case stays. */
function upperCase(character: string): string {
  const upper = character.toUpperCase()
  return upper.length === character.length ? upper : character
}

const FOLDS: Readonly<Record<Collation, (text: string) => string>> = {
  'i;octet': (text) => text,
  'i;ascii-casemap': (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  'i;unicode-casemap': (text) =>
    NOT_ASCII.test(text) ? nfkd(text.replace(/\P{Lu}/gu, upperCase)) : text.toUpperCase(),
}

/** Reads a text-match whose collation is `usual` when it names none. */
export function readTextMatch(element: XmlElement, usual: Collation): TextMatch | QueryProblem {
  const { attributes } = element
  const named = attributes.get('collation') ?? 'default'
  const collation = named === 'default' ? usual : COLLATIONS.find((one) => one === named)
  if (!collation) {
    return {
      precondition: 'supported-collation',
      problem: `The collation ${named.slice(0, 100)} is not known.`,
    }
  }
  const type = MATCH_TYPES.find((one) => one === (attributes.get('match-type') ?? 'contains'))
  if (!type) return { precondition: 'valid-filter', problem: 'The match-type of a text-match is not known.' }
  const negated = attributes.get('negate-condition') ?? 'no'
  if (negated !== 'yes' && negated !== 'no') {
    return { precondition: 'valid-filter', problem: 'A negate-condition is yes or no.' }
  }
  return { collation, type, isNegated: negated === 'yes', wanted: FOLDS[collation](element.text) }
}

const TESTS: Readonly<Record<MatchType, (text: string, wanted: string) => boolean>> = {
  equals: (text, wanted) => text === wanted,
  contains: (text, wanted) => text.includes(wanted),
  'starts-with': (text, wanted) => text.startsWith(wanted),
  'ends-with': (text, wanted) => text.endsWith(wanted),
}

/** Texts that several filters of a report compare, each folded once by each collation. */
export interface ComparedTexts {
  readonly texts: readonly string[]
  readonly folded: Map<Collation, readonly string[]>
}

export const comparedTexts = (texts: readonly string[]): ComparedTexts => ({ texts, folded: new Map() })

/** Whether one of the texts matches; when negated, whether none of them does. */
export function matchesText(
  { collation, type, isNegated, wanted }: TextMatch,
  { texts, folded }: ComparedTexts,
  spend: (units: number) => void,
): boolean {
  const known = folded.getOrInsertComputed(collation, () => {
    spend(texts.reduce((sum, text) => sum + text.length, 0) / 20)
    return texts.map(FOLDS[collation])
  })
  spend(1 + known.reduce((sum, text) => sum + text.length, 0) / 1000)
  return known.some((text) => TESTS[type](text, wanted)) !== isNegated
}
