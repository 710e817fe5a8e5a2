import { AppError, badRequest, invalid } from '../lib/errors'

/** Media type and size limit of a route's body. */
export interface BodyRule {
  readonly mediaType: string
  readonly maxBytes: number
  /** Accepts an empty body as an empty object. */
  readonly mayBeOmitted?: boolean
}

export const JSON_BODY: BodyRule = { mediaType: 'application/json', maxBytes: 1_048_576 }

/** The body of an import: one file, up to 10 MiB (contract: http.imports). */
export const fileBody = (mediaType: string): BodyRule => ({ mediaType, maxBytes: 10_485_760 })

/** A form, which only programs send (contract: oidc.logout). */
export const FORM_BODY: BodyRule = { mediaType: 'application/x-www-form-urlencoded', maxBytes: 65_536 }

const tooLarge = () => new AppError('too_large', 'Request body too large')
const malformedJson = () => badRequest('Malformed JSON body')

/** The `Content-Length` of the request; undefined when the body comes in chunks or there is none. */
function declaredLength(request: Request): number | undefined {
  const header = request.headers.get('content-length')
  return header === null ? undefined : Number(header)
}

/** Bodies above this size count as large; a sign-in needs far less. */
const LARGE_BYTES = 16_384

/** True when the body declares a large size or no size. */
export const isLargeBody = (request: Request): boolean =>
  request.body !== null && (declaredLength(request) ?? Infinity) > LARGE_BYTES

/** @throws {AppError} 413 when the declared size is larger than `limit` bytes. */
export function refuseLargeBody(request: Request, limit = JSON_BODY.maxBytes): void {
  if ((declaredLength(request) ?? 0) > limit) throw tooLarge()
}

/** Reads the whole body. @throws {AppError} 413 as soon as it proves larger than `limit` bytes. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  refuseLargeBody(request, limit)
  if (!request.body) return new Uint8Array()
  try {
    if (declaredLength(request) !== undefined) return new Uint8Array(await request.arrayBuffer())
    return await readChunks(request.body, limit)
  } catch (error) {
    // A client that disconnects in the middle of a body has sent a broken one.
    throw error instanceof AppError ? error : malformedJson()
  }
}

async function readChunks(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
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

/** Returns the object of a JSON body, or the bytes of a file. @throws {AppError} 415, and for JSON 400 and 422. */
export function parseBody(
  request: Request,
  bytes: Uint8Array,
  { mediaType, mayBeOmitted }: BodyRule,
): unknown {
  if (mayBeOmitted && bytes.byteLength === 0) return {}
  const given = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const isMissing = given === undefined && bytes.byteLength === 0 && mediaType === JSON_BODY.mediaType
  if (given !== mediaType && !isMissing) {
    throw new AppError('unsupported_media_type', `Content-Type must be ${mediaType}`)
  }
  return mediaType === JSON_BODY.mediaType ? parseJsonObject(bytes) : bytes
}

/** No route needs more than a few levels (RFC 8259, section 9), and the code that walks a body later is recursive. */
const MAX_DEPTH = 32
/** Members, objects and lists in one body. A megabyte of them would keep every other request waiting. */
const MAX_PARTS = 10_000
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const OPENING = [0x5b, 0x7b]
const CLOSING = new Set([0x5d, 0x7d])
const STRUCTURE = new Set([COLON, ...OPENING, ...CLOSING])

/** Refuses a JSON text that is nested too deep or has too many parts. @throws {AppError} 400, 422; either for text that is not JSON. */
function refuseComplex(bytes: Uint8Array): void {
  let [depth, parts] = [0, 0]
  for (const byte of structureOf(bytes)) {
    if (byte !== COLON) depth += CLOSING.has(byte) ? -1 : 1
    if (!CLOSING.has(byte)) parts++
    if (depth > MAX_DEPTH) throw malformedJson()
    if (parts > MAX_PARTS) throw tooManyParts()
  }
}

/** The colons, braces and brackets outside of strings. */
function* structureOf(bytes: Uint8Array): Generator<number, void, void> {
  let isInString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (isInString && byte === BACKSLASH) i++
    else if (byte === QUOTE) isInString = !isInString
    else if (!isInString && STRUCTURE.has(byte)) yield byte
  }
}

const tooManyParts = () =>
  invalid([{ field: 'body', message: `must have at most ${MAX_PARTS} members, objects and lists` }])

/** @throws {AppError} 400 unless the bytes are one JSON text in UTF-8, 422 unless it is an object of moderate size. */
function parseJsonObject(bytes: Uint8Array): unknown {
  refuseComplex(bytes)
  const value = decodeJson(bytes)
  // Check here, because Elysia's clean-up turns lists and strings into empty objects before validation.
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
