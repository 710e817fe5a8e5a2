import { isKnownTag } from '../lib/etags'
import { sha256Hex } from '../lib/text'

/** What is the same for everybody. */
export interface WholeFile {
  readonly blob: Blob
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

/** The content, with a tag that tells it from every other. */
export async function wholeFile(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<WholeFile> {
  const digest = await sha256Hex(content)
  return { blob: new Blob([content]), headers: { ...headers, etag: `"${digest.slice(0, 32)}"` } }
}

/** The file, or 304 for who has it already. All answers share its bytes: a slow reader costs no memory. */
export function answerFile(request: Request, { blob, headers }: WholeFile): Response {
  if (isKnownTag(headers.etag, request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(blob, { headers: { ...headers, 'content-length': String(blob.size) } })
}
