import type { VCardRead, VCards } from '../lib/ports/vcards'
import { decodeFile } from './vcard.text'

/** Does not use `^` and `$`, which also match at U+2028. Concatenated files contain byte order marks. */
const BOUNDARY = /(?<![^\r\n\ufeff])(BEGIN|END)[ \t]*:[ \t]*VCARD[ \t]*(?:\r\n|\n|\r|(?![^]))/gi

export const vCards: VCards = { read: (file) => cardsOf(decodeFile(file)) }

/** The cards with the lines that begin and end them. vCard 2.1 nests a card within a card for an agent. */
function* cardsOf(text: string): Generator<VCardRead> {
  let [start, depth] = [0, 0]
  for (const { 0: line, 1: keyword = '', index } of text.matchAll(BOUNDARY)) {
    if (!/^begin$/i.test(keyword)) {
      if (depth === 1) yield { text: text.slice(start, index + line.length), isWhole: true }
      depth = Math.max(0, depth - 1)
    } else if (depth > 0 && isAgent(text, index)) depth++
    else {
      if (depth > 0) yield { text: text.slice(start, index), isWhole: false }
      ;[start, depth] = [index, 1]
    }
  }
  if (depth > 0) yield { text: text.slice(start), isWhole: false }
}

const isAgent = (text: string, index: number): boolean =>
  /(?:^|\n|\r)(?:\w+\.)?AGENT[^\r\n:]{0,100}:[ \t]*[\r\n]+$/i.test(
    text.slice(Math.max(0, index - 150), index),
  )
