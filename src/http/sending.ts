/** Bun sends a smaller body in one go, without waiting for the client to read it. */
export const PIECE_BYTES = 65_536

/** Content type of Bun's `Response.json`, whose body is complete. Streamed responses lack the charset parameter. */
export const BUNS_JSON = 'application/json;charset=utf-8'

/**
 * Returns the response and calls `sent` when the client has read all of it or has disconnected; `sent` may be called
 * twice. A large body is sent in pieces, each made when the client has room for it.
 */
export async function countedUntilSent(response: Response, sent: () => void): Promise<Response> {
  // A whole file costs the same however slowly the client reads it.
  if (response.headers.has('content-length')) {
    sent()
    return response
  }
  const body = await bodyOf(response)
  if (body instanceof ReadableStream) return sameBut(response, told(body, sent))
  sent()
  return body === undefined ? response : sameBut(response, body)
}

/** Returns a stream for a body that may take long to read, the bytes of any other body, undefined without a body. */
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

/** Passes the stream on and calls `ended` when it is complete, fails or is cancelled. */
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
