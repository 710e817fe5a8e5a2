import type { Deps } from '../../../deps'
import type { CurrentSession } from '../../../access/sessions/service'
import { insufficientScope } from '../../../lib/access-tokens'
import { AppError } from '../../../lib/errors'
import { allows } from '../../../lib/scopes'
import { listChanges } from '../changes/service'
import type { BatchBody, BatchView, Command, CommandResult } from './model'
import { EarlierFailed, refuseOther, resolveBody, resolvePath } from './rules'

/** No command begins later than this after the first. */
const BEGIN_WITHIN_MS = 8000
/** No command begins once the answers so far are longer than this. */
const ANSWERS_LENGTH = 8 * 1024 * 1024

/** Answers a command as if it had come alone. */
type Send = (command: {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}) => Promise<Response>

interface Batch {
  readonly session: CurrentSession
  readonly body: BatchBody
  readonly send: Send
  readonly hasLeft: () => boolean
}

/**
 * Runs the commands one after the other, each with its own checks, transaction and key (contract: retries.batch). What does not
 * begin in time, or after the client has left, is answered 425.
 * @throws {AppError} 403, 410 and 422 for `since`, before any command runs.
 */
export async function runBatch(deps: Deps, batch: Batch): Promise<BatchView> {
  const { clock } = deps
  const { since, commands } = batch.body
  const readChanges = () => (since === undefined ? undefined : listChanges(deps, batch.session, { since }))
  if (since !== undefined) refuseWithoutScope(batch.session)
  await readChanges()
  const until = clock.monotonic() + BEGIN_WITHIN_MS
  const results: CommandResult[] = []
  const made = new Map<string, number | null>()
  let length = 0
  for (const command of commands) {
    const isLate = clock.monotonic() >= until || length > ANSWERS_LENGTH || batch.hasLeft()
    const [result, size] = isLate ? [NOT_RUN, 0] : await run(command, made, batch.send)
    results.push({ key: command.key, ...result })
    length += size
    if (command.as !== undefined) made.set(command.as, idIn(result))
  }
  const changes = await readChanges()
  return { results, ...(changes && { changes }) }
}

/** @throws {AppError} 403 for an access token that may not read changes. */
function refuseWithoutScope({ token }: CurrentSession): void {
  if (token && !allows(token.scopes, 'overview:read')) throw insufficientScope('overview:read')
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
    refuseOther(method, path)
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
    if (error instanceof AppError) return [{ status: 422, body: { detail: error.message } }, 0]
    throw error
  }
}

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') === true

const matching = (ifMatch: string | undefined) => (ifMatch === undefined ? {} : { 'if-match': ifMatch })

/** The id of the record that a command made or changed; null when it failed or names none. */
function idIn({ status, body }: Result): number | null {
  const id: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined
  return status < 300 && typeof id === 'number' ? id : null
}
