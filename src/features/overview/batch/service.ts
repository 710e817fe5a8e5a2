import type { Deps } from '../../../deps'
import { AppError, type ErrorKind, unavailable } from '../../../lib/errors'
import { itemOf } from '../../../access/operations/service'
import { idIn } from '../../../lib/wire/id'
import type { BatchBody, BatchView, Command, CommandResult } from './model'
import { EarlierFailed, refuseOther, resolveBody, resolvePath } from './rules'

/** No command begins later than this after the batch has come. */
const BEGIN_WITHIN_MS = 8000
/** No command begins once the answers so far are longer than this. */
const ANSWERS_LENGTH = 8 * 1024 * 1024

/** Answers a request as if it had come alone. */
type Send = (request: {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}) => Promise<Response>

interface Batch {
  readonly userId: number
  readonly body: BatchBody
  readonly send: Send
  /** When the request came, by the monotonic clock. */
  readonly startedAt: number
  /** Whether nobody waits for the answer any more. */
  readonly hasLeft: () => boolean
}

/**
 * Runs the commands one after the other, each with its own checks, transaction and key (contract: retries.batch). What does not
 * begin in time, or after the client has left, is answered 425.
 * @throws {AppError} the refusal of `since`, before any command runs.
 */
export async function runBatch(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, body: { since, commands }, send, startedAt, hasLeft }: Batch,
): Promise<BatchView> {
  const readChanges = async (limit: string) =>
    since === undefined
      ? undefined
      : await send({ method: 'GET', path: `/api/changes?since=${encodeURIComponent(since)}${limit}` })
  const known = await readChanges('&limit=1')
  if (known?.ok === false) throw await refusalOf(known)
  const results: CommandResult[] = []
  const made = new Map<string, number | null>()
  let length = 0
  for (const command of commands) {
    const isLate = clock.monotonic() - startedAt >= BEGIN_WITHIN_MS || length > ANSWERS_LENGTH || hasLeft()
    const [result, size] = isLate ? [NOT_RUN, 0] : await run(command, made, send)
    results.push({ key: command.key, ...result })
    length += size
    if (command.as !== undefined) made.set(command.as, await madeBy({ db }, userId, command.key, result))
  }
  const page = await readChanges('')
  return { results, ...(page?.ok && { changes: await page.json() }) }
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  410: 'gone',
  422: 'invalid',
}

async function refusalOf(response: Response): Promise<AppError> {
  const { detail, code }: { detail: string; code?: string } = await response.json()
  const kind = KINDS[response.status]
  return kind ? new AppError(kind, detail, { ...(code !== undefined && { code }) }) : unavailable(undefined)
}

type Result = Omit<CommandResult, 'key'>

const NOT_RUN: Result = { status: 425, body: { detail: 'Not run' } }
const EARLIER_FAILED: Result = { status: 424, body: { detail: 'An earlier command failed' } }

/** Also returns the length of the answer. */
async function run(
  { key, method, path, body, if_match: ifMatch }: Command,
  made: ReadonlyMap<string, number | null>,
  send: Send,
): Promise<[result: Result, length: number]> {
  try {
    refuseOther(method, path, body)
    const response = await send({
      method,
      path: resolvePath(path, made),
      headers: {
        'idempotency-key': `"${key.replaceAll(/(["\\])/g, String.raw`\$1`)}"`,
        ...matching(ifMatch),
      },
      ...(body !== undefined && { body: JSON.stringify(resolveBody(body, made)) }),
    })
    const text = await response.text()
    return [
      { status: response.status, body: isJson(response) ? JSON.parse(text) : text || null },
      text.length,
    ]
  } catch (error) {
    if (error instanceof EarlierFailed) return [EARLIER_FAILED, 0]
    if (error instanceof AppError)
      return [{ status: 422, body: { detail: error.message, errors: error.problems } }, 0]
    throw error
  }
}

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') === true

const matching = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { 'if-match': ifMatch })

/**
 * The id of the record that a command made or changed; null when it failed or names none. What an earlier run of the batch made,
 * and is gone since, is still what its other commands were about.
 */
async function madeBy(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  key: string,
  { status, body }: Result,
): Promise<number | null> {
  if (status < 300) return idIn(body)
  return status === 410 ? ((await itemOf({ db }, userId, key)) ?? null) : null
}
