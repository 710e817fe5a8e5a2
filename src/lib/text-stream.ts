import { databaseFailure } from './database-failure'
import type { LogFields, Logger } from './ports'

/** Characters that are written at once, or one part where that has more. */
const PIECE = 65_536

/** The parts of a long text put together as large as they are sent; others are let in between any two of them. */
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

/**
 * An export, or another long answer, that is written while it is read: it goes on only as its reader does. Where reading fails it
 * breaks off, which the log says with `fields`.
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
        // Without the error, which the runtime would print as it is.
        controller.error()
      }
    },
    async cancel() {
      await pieces.return()
    },
  })
}
