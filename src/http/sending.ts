/** Bun sends a body in one go where it is smaller than this: nobody waits for its reader. */
const PIECE_BYTES = 65_536

/** `Response.json` of Bun, whose body is whole; what streams has no such parameter. */
export const BUNS_JSON = 'application/json;charset=utf-8'

/**
 * The same answer, and `sent` called as soon as its reader has all of it or is gone, of which it may hear twice. A large body goes in
 * pieces that are made when the reader has room for them.
 */
export async function countedUntilSent(response: Response, sent: () => void): Promise<Response> {
  // Of a whole file, which costs the same however slowly it is read.
  if (response.headers.has('content-length')) {
    sent()
    return response
  }
  const body = await bodyOf(response)
  if (body instanceof ReadableStream) return sameBut(response, told(body, sent))
  sent()
  return body === undefined ? response : sameBut(response, body)
}

/** A stream for what may take its reader long, the bytes of what does not, undefined for nothing at all. */
async function bodyOf(response: Response) {
  if (response.headers.get('content-type') !== BUNS_JSON) return response.body ?? undefined
  const bytes = await response.bytes()
  return bytes.byteLength < PIECE_BYTES ? bytes : inPieces(bytes)
}

function sameBut({ status, headers }: Response, body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>) {
  return new Response(body, { status, headers })
}

function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let offset = 0
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(offset, offset + PIECE_BYTES))
        offset += PIECE_BYTES
        if (offset >= bytes.byteLength) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The stream as it is, with word of its end, whichever it is. */
function told(stream: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          ended()
          controller.close()
        } catch (error) {
          ended()
          controller.error(error)
        }
      },
      async cancel(reason) {
        ended()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
