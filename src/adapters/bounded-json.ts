import { failureReason } from './network-failure'

/** What another service answered is of no use; the message holds nothing of the answer. */
export class UnusableAnswerError extends Error {
  override name = 'UnusableAnswerError'
}

interface Bounds {
  /** For everything together: connecting, waiting, and a body that drips. */
  readonly deadlineMs: number
  /** Of the body, after decompression. */
  readonly maxBytes: number
}

/**
 * The JSON that `url` answers with status 200; redirects are not followed.
 * @throws {UnusableAnswerError} for everything else, by its reason.
 */
export async function fetchJson(url: URL, { deadlineMs, maxBytes }: Bounds): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'accept-encoding': 'gzip' },
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
      // The runtime unpacks a bomb of Brotli whole before it hands over the first byte (tried).
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

/** The body as it was before compression, piece by piece. */
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
