import { beginningsOf, fold, wordsOf } from './fold'

export interface Piece {
  readonly text: string
  readonly isHit: boolean
}

/** Cuts a text into what matched a search and what stands between. */
export function highlight(text: string, searched: string): readonly Piece[] {
  const hit = beginningsOf(wordsOf(searched))
  if (!hit) return [{ text, isHit: false }]
  const { folded, places } = foldedWithPlaces(text)
  const pieces: Piece[] = []
  let end = 0
  for (const { index, 0: found } of folded.matchAll(hit)) {
    const [start, next] = [places[index] ?? 0, places[index + found.length] ?? text.length]
    pieces.push(
      { text: text.slice(end, start), isHit: false },
      { text: text.slice(start, next), isHit: true },
    )
    end = next
  }
  pieces.push({ text: text.slice(end), isHit: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** A folded text, and for each of its characters where it stands in the text: folding drops some and doubles others. */
function foldedWithPlaces(text: string) {
  let folded = ''
  const places: number[] = []
  let place = 0
  for (const character of text) {
    const plain = fold(character)
    for (let each = 0; each < plain.length; each++) places.push(place)
    folded += plain
    place += character.length
  }
  return { folded, places: [...places, text.length] }
}
