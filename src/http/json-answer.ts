import type { Deps } from '../deps'
import { pauses } from '../lib/pauses'
import { inPieces, streamOf } from '../lib/text-stream'

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
    ? new Response(streamOf(inPieces(partsOf(document), pauses(clock)), log, {}), {
        headers: { 'content-type': 'application/json' },
      })
    : Response.json(document)

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
