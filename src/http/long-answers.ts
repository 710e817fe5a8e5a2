import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { pauses } from '../lib/pauses'
import { inPieces, streamOf } from '../lib/text-stream'
import { noteShortAnswer } from './request-context'
import { PIECE_BYTES } from './sending'

/** From this many characters on, a response is streamed: about a month of several hundred events. */
const LONG = 256 * 1024
/** A shorter response is sent in one go: no character takes more than six bytes in JSON. */
const SHORT = PIECE_BYTES / 6

/**
 * Serialises a long response record by record while it is sent: validating and serialising it in one go would block all other
 * requests.
 */
export const longAnswers = ({ clock, log }: Pick<Deps, 'clock' | 'log'>) =>
  new Elysia({ name: 'http.long-answers' }).onAfterHandle({ as: 'global' }, ({ request, responseValue }) => {
    if (!isDocument(responseValue)) return undefined
    const length = lengthOf(responseValue, LONG)
    if (length < SHORT) noteShortAnswer(request)
    if (length < LONG) return undefined
    return new Response(streamOf(inPieces(partsOf(responseValue), pauses(clock)), log, {}), {
      headers: { 'content-type': 'application/json' },
    })
  })

const isDocument = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Estimates the length of the JSON; stops counting at `most`. */
function lengthOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + FRAME
  if (typeof value !== 'object' || value === null) return FRAME
  let length = FRAME
  for (const one of Object.values(value)) {
    length += lengthOf(one, most - length)
    if (length >= most) break
  }
  return length
}

/** Estimated characters around a value: its name, quotes and a comma. */
const FRAME = 15

function* partsOf(document: object): Generator<string, void, void> {
  let before = '{'
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* listOf(value)
    else if (isDocument(value)) yield* partsOf(value)
    else yield JSON.stringify(value)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function* listOf(records: readonly unknown[]): Generator<string, void, void> {
  let before = '['
  for (const record of records) {
    yield before + JSON.stringify(record)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
