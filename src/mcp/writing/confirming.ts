import { AppError } from '../../lib/errors'
import type { ToolAnswer, ToolCall } from '../../lib/ports/assistants'
import { sha256Hex } from '../../lib/text'
import type { Assistant } from '../assistant'
import { canonical } from '../canonical'
import { refused } from '../refusals'

/** How long a user may think: five minutes. */
const LIFE_MS = 300_000

/** For what texts are signed: the state of a question is no code. */
const [QUESTION, CODE] = ['assistant-question', 'assistant-code'] as const

/** A call that waits for the user's word. */
export interface Confirmable {
  readonly call: ToolCall
  /** Its arguments without the code. */
  readonly given: Readonly<Record<string, unknown>>
  readonly confirm: string | undefined
  /** What the user is asked; nothing that somebody else wrote. */
  readonly message: string
}

/**
 * Asks the user, or gives the client a code that repeats exactly this call where it cannot ask; undefined once they agreed
 * (contract: assistants.confirmation).
 * @throws {AppError} 409 for a state or code of another user, tool or arguments, or one that has expired.
 */
export async function unlessConfirmed(
  assistant: Assistant,
  asked: Confirmable,
): Promise<ToolAnswer | undefined> {
  const { call, confirm, message } = asked
  const digest = await digestOf(assistant, asked)
  if (confirm !== undefined) return requireMark(assistant, CODE, confirm, digest)
  if (call.reply) {
    requireMark(assistant, QUESTION, call.reply.state, digest)
    return call.reply.isYes ? undefined : refused({ detail: 'The user did not agree', code: 'declined' })
  }
  if (call.canAsk) return { kind: 'question', message, state: markOf(assistant, QUESTION, digest) }
  const detail = 'Ask the user, and if they agree repeat the call with confirm'
  return refused(
    { detail, code: 'confirmation_required' },
    { question: message, confirm: markOf(assistant, CODE, digest) },
  )
}

const digestOf = ({ session }: Assistant, { call, given }: Confirmable): Promise<string> =>
  sha256Hex(canonical([session.userId, call.tool, given]))

/** A text that only this service can have made: when it expires, and for what it is. */
const markOf = ({ deps }: Assistant, purpose: string, digest: string): string =>
  deps.tokens.signText(purpose, `${deps.clock.now().getTime() + LIFE_MS}-${digest}`)

/** @throws {AppError} 409. */
function requireMark({ deps }: Assistant, purpose: string, mark: string, digest: string): undefined {
  const [expiry = '', known] = deps.tokens.readText(purpose, mark)?.split('-') ?? []
  if (known === digest && Number(expiry) > deps.clock.now().getTime()) return undefined
  throw new AppError('conflict', 'This confirmation is not for this call, or has expired', {
    code: 'confirmation_invalid',
  })
}
