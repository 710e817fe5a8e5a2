import { failureReason } from './network-failure'

/** Another service sent an unusable response. The message contains nothing of the response. */
export class UnusableAnswerError extends Error {
  override name = 'UnusableAnswerError'
}

interface Bounds {
  /** Covers everything: connecting, waiting, and a slowly arriving body. */
  readonly deadlineMs: number
  /** Size of the body after decompression. */
  readonly maxBytes: number
}

/**
 * Fetches JSON from `url`; it follows no redirects.
 * @throws {UnusableAnswerError} with the reason, unless the status is 200 and the body is valid.
 */
export async function fetchJson(url: URL, { deadlineMs, maxBytes }: Bounds): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
      // The runtime decompresses a Brotli bomb completely before it returns the first byte (tested).
      decompress: false,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new UnusableAnswerError(`answered ${response.status}`)
    }
    return JSON.parse(await readText(unpacked(response), maxBytes))
  } catch (error) {
    throw error instanceof UnusableAnswerError ? error : new UnusableAnswerError(failureReason(error))
  }
}

/** The decompressed body as a stream. */
function unpacked({ body, headers }: Response): ReadableStream<Uint8Array> | null {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity') return body
  if (encoding === 'gzip') return body?.pipeThrough(new DecompressionStream('gzip')) ?? null
  void body?.cancel()
  throw new UnusableAnswerError('answered in an encoding that was not asked for')
}

async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new UnusableAnswerError(`answered more than ${maxBytes} bytes`)
    text += utf8.decode(chunk, { stream: true })
  }
  return text + utf8.decode()
}
