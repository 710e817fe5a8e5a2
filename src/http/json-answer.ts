import type { Deps } from '../deps'
import { pauses } from '../lib/pauses'
import { streamOf } from '../lib/text-stream'

/** Characters that are written at once, or one record where that has more. */
const PIECE = 65_536

/**
 * The document as an answer. A long one is written record by record while it is sent: what checks and writes it in one go keeps
 * everybody else waiting.
 */
export const jsonAnswer = (
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  document: object,
  isLong: boolean,
): Response =>
  isLong
    ? new Response(streamOf(piecesOf(document, pauses(clock)), log, {}), {
        headers: { 'content-type': 'application/json' },
      })
    : Response.json(document)

async function* piecesOf(document: object, pause: () => Promise<void>): AsyncGenerator<string, void, void> {
  let piece = ''
  for (const part of partsOf(document)) {
    piece += part
    await pause()
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

function* partsOf(document: object): Generator<string, void, void> {
  let before = '{'
  for (const [name, value] of Object.entries(document)) {
    yield `${before}${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* listOf(value)
    else yield JSON.stringify(value)
    before = ','
  }
  yield '}'
}

function* listOf(records: readonly unknown[]): Generator<string, void, void> {
  let before = '['
  for (const record of records) {
    yield before + JSON.stringify(record)
    before = ','
  }
  yield records.length === 0 ? '[]' : ']'
}
