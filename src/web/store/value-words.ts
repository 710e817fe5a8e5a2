import { useLanguage, useMessages } from '../messages/language'
import { defineMessages, type Language, localeOf, textsIn } from '../messages/messages'
import { repeatOf } from '../recurrence/rule'
import { inWords } from '../recurrence/words'
import type { Fields, KeptKind, RecordOf } from './kinds'
import type { Store } from './store'
import { useStore } from './use-store'

const messages = defineMessages({
  en: { empty: 'empty', yes: 'yes', no: 'no' },
  de: { empty: 'leer', yes: 'ja', no: 'nein' },
})

/** Values of closed sets, as the service spells them. */
const values = defineMessages({
  en: {
    none: 'none', low: 'low', medium: 'medium', high: 'high', daily: 'every day', weekly: 'every week',
    monthly: 'every month', not_started: 'not started', in_progress: 'in progress', on_hold: 'on hold',
    completed: 'completed', pending: 'open', public: 'no', private: 'yes',
  },
  de: {
    none: 'keine', low: 'niedrig', medium: 'mittel', high: 'hoch', daily: 'jeden Tag', weekly: 'jede Woche',
    monthly: 'jeden Monat', not_started: 'nicht begonnen', in_progress: 'in Arbeit', on_hold: 'ruht',
    completed: 'erledigt', pending: 'offen', public: 'nein', private: 'ja',
  },
}) // prettier-ignore
const CLOSED: ReadonlySet<string> = new Set(['priority', 'recurrence', 'status', 'visibility'])
const isValue = (value: string): value is keyof (typeof values)['en'] => value in values.en

/** Fields that name another record. */
const NAMES: Readonly<Record<string, KeptKind>> = {
  list_id: 'todo_list',
  book_id: 'address_book',
  parent_task_id: 'task',
}

/** What the other fields of its group say already. */
const UNSAID: ReadonlySet<string> = new Set(['all_day', 'calendar_id', 'calendar_color', 'shared_profile'])

const isSaid = ([name, value]: readonly [string, unknown]) =>
  !UNSAID.has(name) && value !== null && value !== undefined

const INSTANT = /^\d{4}-\d\d-\d\dT/
const DAY = /^\d{4}-\d\d-\d\d$/
/** A birthday without its year. */
const DAY_OF_YEAR = /^--\d\d-\d\d$/

/** Returns a function that says values of fields that belong together, as a person writes them. */
export function useValueWords(): (fields: Fields) => string {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const store = useStore()
  const one = ([name, value]: readonly [string, unknown]): string => {
    if (value === '') return m.empty
    if (typeof value === 'boolean') return value ? m.yes : m.no
    if (typeof value === 'number') return nameIn(store, name, value) ?? String(value)
    return typeof value === 'string'
      ? text(name, value, { language, zone: store.zone() })
      : JSON.stringify(value)
  }
  return (fields) => {
    const shown = Object.entries(fields).filter(isSaid)
    return shown.length === 0 ? m.empty : shown.map(one).join(' · ')
  }
}

function nameIn(store: Store, field: string, id: number): string | undefined {
  if (field === 'linked_user_id') return networkName(store, id)
  const kind = NAMES[field]
  const record: Fields = { ...(kind && store.find({ kind, id })) }
  const name = record.name ?? record.title
  return typeof name === 'string' ? name : undefined
}

/** A connected user is named by the connection. */
function networkName(store: Store, userId: number): string | undefined {
  const connections = store.records.list('connection') as ReadonlyArray<RecordOf<'connection'>>
  return connections.find(({ user_id: user }) => user === userId)?.network_name
}

function text(
  name: string,
  value: string,
  { language, zone }: { readonly language: Language; readonly zone: string },
): string {
  const locale = localeOf(language)
  if (CLOSED.has(name) && isValue(value)) return textsIn(values, language)[value]
  if (DAY.test(value)) return Temporal.PlainDate.from(value).toLocaleString(locale, { dateStyle: 'full' })
  if (DAY_OF_YEAR.test(value))
    return Temporal.PlainDate.from(`2000${value.slice(1)}`).toLocaleString(locale, {
      day: 'numeric',
      month: 'long',
    })
  const repeat = name === 'recurrence_rule' ? repeatOf(value) : undefined
  if (repeat) return inWords(repeat, language)
  if (!INSTANT.test(value)) return value
  const at = Temporal.Instant.from(value).toZonedDateTimeISO(zone)
  return at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
}
