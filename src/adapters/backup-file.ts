import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { BackupHeader, BackupTrailer } from '../lib/backup'

/**
 * A backup is a gzip file of lines: a header in JSON, the rows of each table in COPY's text format, each table followed by `\.`,
 * and a trailer in JSON that reveals a truncated or changed file.
 */
const END_OF_TABLE = '\\.\n'
const NEWLINE = 10
/** Approximate size of the chunks of rows, in bytes. */
const PIECE = 65_536

const Header = Type.Object({
  format: Type.Literal('organiser-backup'),
  version: Type.Literal(1),
  created_at: Type.String(),
  migrations: Type.Array(Type.String()),
  tables: Type.Array(Type.Object({ name: Type.String(), columns: Type.Array(Type.String()) })),
  secret_key: Type.Union([Type.String({ minLength: 32 }), Type.Null()]),
})

const Trailer = Type.Object({
  rows: Type.Array(Type.Integer({ minimum: 0 })),
  sequences: Type.Array(
    Type.Object({
      table: Type.String(),
      column: Type.String(),
      last: Type.Integer(),
      isCalled: Type.Boolean(),
    }),
  ),
  sha256: Type.String(),
})

/** The contents of a backup: the rows of the header's tables, in their order. */
interface Written {
  readonly header: BackupHeader
  readonly rowsOf: (table: BackupHeader['tables'][number]) => AsyncIterable<Uint8Array>
  readonly sequences: () => Promise<BackupTrailer['sequences']>
}

const encode = (text: string) => new TextEncoder().encode(text)

/** Searches, as looking at each byte takes longer than all the rest of a backup. */
function linesIn(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++
  return count
}

async function* contentOf({ header, rowsOf }: Written, rows: number[]): AsyncGenerator<Uint8Array> {
  yield encode(`${JSON.stringify(header)}\n`)
  for (const table of header.tables) {
    let count = 0
    for await (const chunk of rowsOf(table)) {
      count += linesIn(chunk)
      yield chunk
    }
    rows.push(count)
    yield encode(END_OF_TABLE)
  }
}

async function* withTrailer(written: Written): AsyncGenerator<Uint8Array> {
  const rows: number[] = []
  const hash = createHash('sha256')
  for await (const chunk of contentOf(written, rows)) {
    hash.update(chunk)
    yield chunk
  }
  const trailer: BackupTrailer = { rows, sequences: await written.sequences(), sha256: hash.digest('hex') }
  yield encode(`${JSON.stringify(trailer)}\n`)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const taken = (path: string) => new Error(`${path} exists already: name a file that does not.`)

/**
 * Writes a backup that only its owner can read. The file appears under its name only when it is complete.
 * @throws {Error} in one sentence when the file exists or cannot be created.
 */
export async function writeBackup(path: string, written: Written, signal: AbortSignal): Promise<void> {
  if (await exists(path)) throw taken(path)
  try {
    await writeWhole(path, written, signal)
  } catch (error) {
    // An error of the file system; the database's errors pass unchanged.
    const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error
    throw isOfFile ? new Error(`${path} cannot be written: ${codeOf(error)}.`) : error
  }
}

async function writeWhole(path: string, written: Written, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), '.organiser-backup-'))
  try {
    const draft = join(folder, 'backup')
    const output = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
    await pipeline(Readable.from(withTrailer(written)), createGzip(), output, { signal })
    await using file = await open(draft)
    await file.sync()
    await publish(draft, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Uses a link, because a rename would replace an existing file. Some file systems have no links. */
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (await exists(path))) throw taken(path)
    await rename(draft, path)
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

/** Whole lines, including their line ends. */
async function* linesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path)
  const bytes = createGunzip()
  file.on('error', (error) => bytes.destroy(error))
  file.pipe(bytes)
  let rest = new Uint8Array(0)
  try {
    for await (const chunk of bytes) {
      const data: Uint8Array<ArrayBuffer> = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
        yield data.subarray(start, end + 1)
        start = end + 1
      }
      rest = data.subarray(start)
    }
    if (rest.length > 0) throw new Error('torn')
  } finally {
    bytes.destroy()
    file.destroy()
  }
}

const isEnd = (line: Uint8Array): boolean => line.length === 3 && line[0] === 92 && line[1] === 46

async function nextLine(lines: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const { value, done } = await lines.next()
  if (done || !value) throw new Error('cut')
  return value
}

function parse<T extends TSchema>(schema: T, line: Uint8Array): Static<T> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line))
  return Value.Parse(schema, value)
}

export interface Backup {
  readonly header: BackupHeader
  readonly trailer: BackupTrailer
}

/**
 * Verifies a whole backup before it is used.
 * @throws {Error} in one sentence for a file that is not a backup, or was truncated or changed.
 */
export async function verifyBackup(path: string): Promise<Backup> {
  if (!(await exists(path))) throw new Error(`There is no file ${path}.`)
  const lines = linesOf(path)
  try {
    const { header, line } = await readHeader(path, lines)
    const trailer = await readRest(header, line, lines).catch(() => undefined)
    if (!trailer) throw new Error(`${path} is damaged: it was cut, or changed after it was written.`)
    return { header, trailer }
  } finally {
    await lines.return(undefined)
  }
}

async function readHeader(path: string, lines: AsyncGenerator<Uint8Array>) {
  try {
    const line = await nextLine(lines)
    return { header: parse(Header, line), line }
  } catch {
    throw new Error(`${path} is no backup that this service has written.`)
  }
}

/** @throws {Error} when something is missing, or differs from the trailer. */
async function readRest(
  { tables }: BackupHeader,
  first: Uint8Array,
  lines: AsyncGenerator<Uint8Array>,
): Promise<BackupTrailer | undefined> {
  const hash = createHash('sha256').update(first)
  const rows: number[] = []
  for (const _ of tables) {
    let count = 0
    for (;;) {
      const line = await nextLine(lines)
      hash.update(line)
      if (isEnd(line)) break
      count++
    }
    rows.push(count)
  }
  const trailer = parse(Trailer, await nextLine(lines))
  const isLast = (await lines.next()).done === true
  const isWhole = trailer.sha256 === hash.digest('hex') && trailer.rows.join() === rows.join()
  return isLast && isWhole ? trailer : undefined
}

/** The rows of each table of a verified backup. Read all rows of a table before asking for the next table. */
export async function* readRows(
  path: string,
  { header }: Backup,
): AsyncGenerator<AsyncGenerator<Uint8Array>> {
  const lines = linesOf(path)
  try {
    await nextLine(lines)
    for (const _ of header.tables) yield piecesOf(lines)
  } finally {
    await lines.return(undefined)
  }
}

async function* piecesOf(lines: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array[] = []
  let length = 0
  for (;;) {
    const line = await nextLine(lines)
    if (isEnd(line)) break
    piece.push(line)
    length += line.length
    if (length < PIECE) continue
    yield Buffer.concat(piece)
    piece = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(piece)
}
