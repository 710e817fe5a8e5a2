import { type AssistantItem, beginningOf, isUntrusted } from './item'

/** The longest title in a line. */
const LONGEST_TITLE = 80

/** An item in one line, for clients that show their model the text alone. */
export function lineOf(item: AssistantItem): string {
  const version = item.version === undefined ? '' : ` v${item.version}`
  const parts = [`${item.type} ${item.id ?? ''}${version}`, whenOf(item), stateOf(item), titleOf(item.title)]
  return parts.filter((part) => part !== '').join(' ')
}

function titleOf(title: unknown): string {
  if (isUntrusted(title)) return `(untrusted text by ${title.by}) ${quoted(title.untrusted)}`
  return typeof title === 'string' ? quoted(title) : ''
}

const quoted = (text: string) => JSON.stringify(beginningOf(text, LONGEST_TITLE))

const WHEN = ['weekday', 'start_at', 'start_date', 'due_date', 'due_time', 'date'] as const

function whenOf(item: AssistantItem): string {
  const moment = item.snoozed_until ?? item.remind_at
  const end = item.end_at ?? item.end_date
  return [
    ...WHEN.map((name) => item[name]),
    moment,
    end === undefined ? undefined : `to ${textOf(end)}`,
    item.occurrence === undefined ? undefined : `(occurrence ${textOf(item.occurrence)})`,
  ]
    .filter((part) => part !== undefined)
    .map(textOf)
    .join(' ')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function stateOf({ completed, is_dismissed: isDismissed, status }: AssistantItem): string {
  if (completed === true || status === 'completed') return 'done'
  return isDismissed === true ? 'dismissed' : ''
}
