import { isKnownTag } from '../lib/etags'
import { sha256Hex } from '../lib/text'

/** A response that is the same for every caller. */
export interface WholeFile {
  readonly blob: Blob
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

/** Returns the content with an `ETag` that is a digest of it. */
export async function wholeFile(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<WholeFile> {
  const digest = await sha256Hex(content)
  return { blob: new Blob([content]), headers: { ...headers, etag: `"${digest.slice(0, 32)}"` } }
}

/**
 * Returns the file, or 304 when the client already has it. All responses share its bytes, so that a slow client costs no
 * memory.
 */
export function answerFile(request: Request, { blob, headers }: WholeFile): Response {
  if (isKnownTag(headers.etag, request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(blob, { headers: { ...headers, 'content-length': String(blob.size) } })
}
