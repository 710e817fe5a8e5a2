import { AppError, badRequest, invalid } from '../lib/errors'

const MAX_BODY_BYTES = 1_048_576

const tooLarge = () => new AppError('too_large', 'Request body too large')
const malformedJson = () => badRequest('Malformed JSON body')

/** The declared length of the body; undefined when it comes in chunks or there is none. */
function declaredLength(request: Request): number | undefined {
  const header = request.headers.get('content-length')
  return header === null ? undefined : Number(header)
}

/** @throws {AppError} 413 when the body says that it is larger than `limit` bytes. */
export function refuseLargeBody(request: Request, limit = MAX_BODY_BYTES): void {
  if ((declaredLength(request) ?? 0) > limit) throw tooLarge()
}

/** The whole body. @throws {AppError} 413 as soon as it proves larger than `limit` bytes. */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<Uint8Array> {
  refuseLargeBody(request, limit)
  if (!request.body) return new Uint8Array()
  try {
    if (declaredLength(request) !== undefined) return new Uint8Array(await request.arrayBuffer())
    return await readChunks(request.body, limit)
  } catch (error) {
    // Whoever hangs up in the middle of a body has sent a broken one.
    throw error instanceof AppError ? error : malformedJson()
  }
}

async function readChunks(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws {AppError} 415 for another media type, 400 for anything but one JSON text in UTF-8, 422 for no object. */
export function parseJsonObject(request: Request, bytes: Uint8Array): unknown {
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (bytes.byteLength > 0 || mediaType !== undefined) refuseMediaType(mediaType)
  const value = decodeJson(bytes)
  // Elysia's clean-up turns lists and texts into empty objects before they are validated.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalid([{ field: 'body', message: 'must be an object' }])
}

function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw malformedJson()
  }
}

function refuseMediaType(mediaType: string | undefined) {
  if (mediaType === 'application/json') return
  throw new AppError('unsupported_media_type', 'Content-Type must be application/json')
}
