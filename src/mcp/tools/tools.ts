import type { CurrentSession } from '../../access/sessions/service'
import type { ListedTool, ToolAnswer, ToolCall } from '../../lib/ports/assistants'
import { insufficientScope } from '../../lib/access-tokens'
import { failureFields } from '../../http/errors'
import type { Assistant } from '../assistant'
import { isFailure, refused, viewOf } from '../refusals'
import { add } from './add'
import { answerInvitation } from './answer-invitation'
import { change } from './change'
import { remove } from './delete'
import { find } from './find'
import { findTime } from './find-time'
import { overview } from './overview'
import type { Tool } from './tool'
import { undo } from './undo'

/** All tools, in the order of the list. */
const TOOLS: readonly Tool[] = [overview, find, add, change, remove, answerInvitation, findTime, undo]

/** The tools that the caller's scopes allow (contract: assistants.tools). */
export const toolsFor = (session: CurrentSession): ListedTool[] =>
  TOOLS.filter(({ isFor }) => isFor(session)).map((tool) => tool.listedFor(session))

export const isTool = (name: string): boolean => TOOLS.some((tool) => tool.name === name)

/** Calls a tool; every refusal is an answer. Undefined when there is no such tool. */
export async function callTool(assistant: Assistant, call: ToolCall): Promise<ToolAnswer | undefined> {
  const tool = TOOLS.find(({ name }) => name === call.tool)
  if (!tool) return undefined
  try {
    if (!tool.isFor(assistant.session)) throw insufficientScope()
    return await tool.call(assistant, call)
  } catch (error) {
    if (isFailure(error)) assistant.deps.log.error('A tool failed', failureFields(error))
    return refused(viewOf(error))
  }
}
