import { asOneOperation, findKept, newOperation, type Operation } from '../../access/operations/service'
import { AppError, conflict, invalid } from '../../lib/errors'
import { isDatabaseTrouble } from '../../lib/database-failure'
import type { ToolAnswer } from '../../lib/ports/assistants'
import { sha256Hex } from '../../lib/text'
import { readValue } from '../../lib/wire/schema-reading'
import { failureFields } from '../../http/errors'
import { type Assistant, mayWrite } from '../assistant'
import { canonical } from '../canonical'
import type { AssistantItem } from '../items/item'
import { isFailure, isNotFound, refused, viewOf } from '../refusals'
import { isWritableKind, RECORDS } from './records'
import {
  answerOutcomes,
  type ItemOutcome,
  type KeptOutcome,
  KeptOutcomes,
  MOST_TOLD,
  toKept,
} from './outcomes'

/** One thing that a call does, in a transaction of its own. */
export interface CallStep {
  readonly run: (assistant: Assistant) => Promise<readonly ItemOutcome[]>
  /** Reads the record again where the call knew an older version; undefined when there is none. */
  readonly readNow?: (assistant: Assistant) => Promise<AssistantItem>
}

/** What a call changes, and how it is named. */
export interface Work {
  /** The name of the operation, in the list of what the user has done. */
  readonly name: string
  readonly key: string | undefined
  /** The arguments that tell two calls with one key apart. */
  readonly given: Readonly<Record<string, unknown>>
  readonly steps: readonly CallStep[]
  /** Asks the user first, where that is needed; undefined once they agreed. */
  readonly ask?: () => Promise<ToolAnswer | undefined>
}

/** What does not begin within this time is not begun (contract: assistants.batches). */
const LONGEST_MS = 8000

/**
 * Does the work of a call as one operation, whose steps are done or refused one by one (contract: assistants.batches). A call with
 * the key of an earlier one is answered with what that one did.
 * @throws {AppError} 409, 422 for the key.
 */
export async function perform(assistant: Assistant, work: Work): Promise<ToolAnswer> {
  const { deps } = assistant
  const since = deps.clock.monotonic()
  const operation = await operationOf(assistant, work)
  const replayed = await replay(assistant, operation)
  if (replayed) return replayed
  const question = await work.ask?.()
  if (question) return question
  const doing = { deps, session: { ...assistant.session, operation } }
  const outcomes: ItemOutcome[] = []
  await asOneOperation(deps, operation, async (): Promise<KeptOutcomes> => {
    for (const step of work.steps) outcomes.push(...(await attempt(doing, step, since)))
    return {
      outcomes: outcomes.slice(0, MOST_TOLD).map(toKept),
      more: Math.max(0, outcomes.length - MOST_TOLD),
    }
  })
  const isAnyDone = outcomes.some(({ status }) => status !== 'refused')
  // The same call may have been made meanwhile.
  const other = isAnyDone ? undefined : await replay(assistant, operation)
  return other ?? answerOutcomes(assistant, { operationId: isAnyDone ? operation.id : undefined, outcomes })
}

async function operationOf({ deps }: Assistant, { name, key, given }: Work): Promise<Operation> {
  const retry =
    key === undefined ? undefined : { key, fingerprint: await sha256Hex(`${name} ${canonical(given)}`) }
  return newOperation(deps, { name, retry, keepsAnswer: false })
}

/** What the call with the same key has done; undefined when there was none. @throws {AppError} 409, 422. */
async function replay(assistant: Assistant, operation: Operation): Promise<ToolAnswer | undefined> {
  const { deps, session } = assistant
  const { id } = operation
  const kept = await findKept(deps, session.userId, operation)
  if (kept === 'other') throw mismatch()
  if (operation.id !== id) return brokenOff(assistant, operation)
  if (!kept) return undefined
  if (kept.answer === null) throw mismatch()
  const { outcomes, more = 0 } = readValue(KeptOutcomes, kept.answer, 'kept')
  if (outcomes.length === 0) return refused({ detail: BROKEN_OFF }, { operation_id: kept.id })
  const now: ItemOutcome[] = []
  for (const outcome of outcomes) now.push(await again(assistant, outcome))
  return answerOutcomes(assistant, { operationId: kept.id, isReplayed: true, outcomes: now, more })
}

const mismatch = () =>
  invalid([{ field: 'idempotency_key', message: 'was used for another request' }], 'idempotency_mismatch')

const BROKEN_OFF = 'An earlier call with this idempotency_key was broken off: look what it did, or undo it'

/** Nobody knows how far the earlier call came, so nothing of it is done again. */
async function brokenOff({ deps }: Assistant, operation: Operation): Promise<ToolAnswer> {
  await asOneOperation(deps, operation, async (): Promise<KeptOutcomes> => ({ outcomes: [] }))
  return refused({ detail: BROKEN_OFF }, { operation_id: operation.id })
}

/** The outcome as an earlier call had it, with the record as it is now where the token may read it: another one may have made that call. */
async function again(
  assistant: Assistant,
  { status, type = '', id = 0, detail = '' }: KeptOutcome,
): Promise<ItemOutcome> {
  if (status === 'refused') return { status, refusal: { detail } }
  if (status === 'deleted') return { status, type, id }
  if (!isWritableKind(type) || !mayWrite(assistant.session, RECORDS[type].area)) {
    return { status, item: { type, id } }
  }
  try {
    return { status, item: await RECORDS[type].read(assistant, id) }
  } catch (error) {
    if (!isNotFound(error)) throw error
    return { status: 'refused', refusal: { detail: 'Deleted since' } }
  }
}

/** Runs one step; a refusal is an outcome. */
async function attempt(assistant: Assistant, step: CallStep, since: number): Promise<readonly ItemOutcome[]> {
  const { clock, log } = assistant.deps
  if (clock.monotonic() - since > LONGEST_MS)
    return [{ status: 'refused', refusal: viewOf(conflict('Not run')) }]
  try {
    return await step.run(assistant)
  } catch (error) {
    if (isFailure(error) && !isDatabaseTrouble(error)) log.error('A tool failed', failureFields(error))
    const now = isStale(error) ? await step.readNow?.(assistant).catch(() => undefined) : undefined
    return [{ status: 'refused', refusal: viewOf(error), ...(now && { now }) }]
  }
}

const isStale = (error: unknown) => error instanceof AppError && error.kind === 'stale'
