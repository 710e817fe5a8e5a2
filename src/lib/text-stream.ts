import { databaseFailure } from './database-failure'
import type { LogFields, Logger } from './ports/logging'

/** The length of a piece in characters; a longer part is still one piece. */
const PIECE = 65_536

/** Joins the parts of a long text into pieces for sending, pausing after each part to let other requests run. */
export async function* inPieces(
  parts: Iterable<string> | AsyncIterable<string>,
  pause: () => Promise<void>,
): AsyncGenerator<string, void, void> {
  let piece = ''
  for await (const part of parts) {
    piece += part
    await pause()
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}

/** Waits for the first piece, and rejects with what fails before it, so that it is refused with a status of its own. */
export async function begun(
  pieces: AsyncGenerator<string, void, void>,
): Promise<AsyncGenerator<string, void, void>> {
  const first = await pieces.next()
  async function* all(): AsyncGenerator<string, void, void> {
    try {
      if (!first.done) yield first.value
      yield* pieces
    } finally {
      await pieces.return()
    }
  }
  return all()
}

/**
 * Streams an export or another long response, producing pieces only as fast as the client reads. On an error, the response
 * breaks off, and the error is logged with `fields`.
 */
export function streamOf(
  pieces: AsyncGenerator<string, void, void>,
  log: Pick<Logger, 'error'>,
  fields: LogFields,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        log.error('An answer broke off', { ...fields, database_code: databaseFailure(error)?.code })
        // Passing the error on would make the runtime print it unredacted.
        controller.error()
      }
    },
    async cancel() {
      await pieces.return()
    },
  })
}
