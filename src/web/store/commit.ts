import type { EventView } from '../../features/events/events/model'
import { type Effect, type SentCommand, subjectOf } from './commands'
import { concerns } from './effects'
import type { Fields, RecordName } from './kinds'
import type { Records } from './records'
import type { Windows } from './windows'

export const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Takes as said what a confirmed command did, so that taking it out of the outbox changes nothing on the page. Records that the answer
 * has are taken from it with their versions, and not from the effects, as the feed may have told something newer meanwhile.
 */
export function commit(
  { records, windows }: { readonly records: Records; readonly windows: Windows },
  command: SentCommand,
  body: unknown,
): void {
  const { apply, creates, guard } = command
  const answered = answeredBy(command, body)
  for (const effect of unsaid(command, answered)) records.commit(effect, versionOf(command, effect))
  for (const { name, item } of answered) {
    if (name.kind === 'event') windows.answer(item as EventView & { id: number }, guard !== undefined)
    else records.answer(name, item, creates ? apply : [])
  }
  const [made] = answered
  windows.commit(creates?.kind === 'event' && made ? [{ ...creates, is: 'put', item: made.item }] : apply)
}

/** The version that a record had when the command was sent, if it is the one that the command is about. */
function versionOf(command: SentCommand, effect: Effect): number | undefined {
  const subject = subjectOf(command)
  return subject && concerns(effect, subject) ? command.ifMatch : undefined
}

interface Answered {
  readonly name: RecordName
  readonly item: Fields
}

/** What the command did to records that the answer does not have. */
function unsaid({ apply, undoes }: SentCommand, answered: readonly Answered[]): Effect[] {
  const isTold = (effect: Effect) => answered.some(({ name }) => concerns(effect, name))
  // An undoing answers with what came back, but a deletion has to outlast pages from before it.
  return apply.filter((effect) => effect.is === 'delete' || (undoes === undefined && !isTold(effect)))
}

/** The records that an answer has: the one that was made or changed, or those in the list that the request named. */
function answeredBy({ apply, guard, creates, request: { answers } }: SentCommand, body: unknown): Answered[] {
  const target = creates ?? guard ?? apply[0]
  if (!isRecord(body) || answers === null) return []
  if (target && body.id === target.id) return [{ name: target, item: body }]
  const items = answers && body[answers.list]
  if (!answers || !Array.isArray(items)) return []
  return (items as Array<Fields & { id: number }>).map((item) => ({
    name: { kind: answers.kind, id: item.id },
    item,
  }))
}
