import type { Assistant } from '../assistant'
import type { AssistantItem } from '../items/item'
import { unlessGone } from '../refusals'
import type { WritableKind } from './kinds'
import { RECORDS } from './records'

/** The most records that a question names. */
const MOST_NAMED = 10

interface NamedRecord {
  readonly kind: WritableKind
  readonly id: number
}

/** Reads the records that a call names; those that are not there are left to their refusal. */
export async function readRecords(
  assistant: Assistant,
  named: readonly NamedRecord[],
): Promise<AssistantItem[]> {
  const read = named.map(({ kind, id }) => RECORDS[kind].read(assistant, id).catch(unlessGone))
  return (await Promise.all(read)).flatMap((item) => item ?? [])
}

/** The records in a question to the user. A title that somebody else may have written is left out. */
export function namesOf(items: readonly AssistantItem[]): string {
  const names = items.slice(0, MOST_NAMED).map(({ type, id, title, weekday }) => {
    const day = typeof weekday === 'string' ? ` (${weekday})` : ''
    return typeof title === 'string' ? `${type} “${title}”${day}` : `${type} ${id} of somebody else${day}`
  })
  const rest = items.length - names.length
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
}
