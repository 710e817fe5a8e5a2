import type { Assistant } from '../assistant'
import { type AssistantItem, beginningOf } from '../items/item'
import { unlessGone } from '../refusals'
import type { WritableKind } from './kinds'
import { RECORDS } from './records'

/** The most records that a question names, and the longest title there. */
const [MOST_NAMED, LONGEST_TITLE] = [10, 60]

interface NamedRecord {
  readonly kind: WritableKind
  readonly id: number
}

/** Reads the records that a call names; those that are not there are left to their refusal. */
export async function readRecords(
  assistant: Assistant,
  named: readonly NamedRecord[],
): Promise<AssistantItem[]> {
  const items: AssistantItem[] = []
  for (const { kind, id } of named) {
    const item = await RECORDS[kind].read(assistant, id).catch(unlessGone)
    if (item) items.push(item)
  }
  return items
}

/** The records in a question to the user. A title that somebody else may have written is left out. */
export function namesOf(items: readonly AssistantItem[]): string {
  const names = items.slice(0, MOST_NAMED).map(({ type, id, title, weekday }) => {
    const day = typeof weekday === 'string' ? ` (${weekday})` : ''
    return typeof title === 'string'
      ? `${type} “${beginningOf(title, LONGEST_TITLE)}”${day}`
      : `${type} ${id} of somebody else${day}`
  })
  const rest = items.length - names.length
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
}
