import { highlight } from './highlight'

/** A text with what matched the search marked. */
export function Highlighted({ text, searched }: { readonly text: string; readonly searched: string }) {
  return highlight(text, searched).map((piece, place) =>
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have no other name
    piece.isHit ? <mark key={place}>{piece.text}</mark> : piece.text,
  )
}
