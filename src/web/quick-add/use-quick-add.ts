import { useEffect, useEffectEvent, useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { useCalendarList } from '../calendars/data'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages, localeOf } from '../messages/messages'
import { useUnsaved } from '../session/unsaved'
import { useSignedIn } from '../session/use-session'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useWriting } from '../store/use-writing'
import { isMonthFirst } from '../time/month-first'
import { now } from '../time/now'
import { useZone } from '../time/use-zone'
import type { QuickKind } from './grammar'
import { adding, type GivenTodo } from './intents'
import { type Asking, understand } from './understand'

/** What was typed and decided; it outlives a reload. */
interface Typed {
  readonly line: string
  readonly rejected: readonly string[]
  readonly kind?: QuickKind | undefined
}

const NOTHING: Typed = { line: '', rejected: [] }
const NO_CALENDARS: readonly CalendarView[] = []

const messages = defineMessages({
  en: { added: (title: string) => `Added ${title}` },
  de: { added: (title: string) => `${title} hinzugefügt` },
})

interface QuickField {
  /** Names its draft. */
  readonly where: string
  readonly kind: QuickKind | undefined
  /** What a todo is given that its line does not say. */
  readonly given?: GivenTodo | undefined
}

/** The state of one quick-add field. A line that the service refuses stands in it again. */
export function useQuickAdd({ where, kind, given }: QuickField, onAdded: () => void) {
  const m = useMessages(messages)
  const draftKey = `quick-add ${where}`
  const [draft, setDraft] = useDraft<Typed>(draftKey)
  const [isEmpty, setEmpty] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const typed = { ...NOTHING, kind, ...draft }
  useUnsaved(typed.line !== '')
  const { calendars: known, refusal } = useCalendarList()
  const calendars = known ?? NO_CALENDARS
  const asking = useAsking(typed, calendars)
  const understood = understand(typed.line, asking)
  const write = useWriting()
  const change = (next: Partial<Typed>) => {
    setEmpty(false)
    setWaiting(false)
    setDraft({ ...typed, ...next })
  }
  // Until the calendars are read, nobody knows whether a name in the line is one of them.
  const isReading = !known && !refusal && understood.kind === 'event' && typed.line.includes('#')
  const send = () => {
    setEmpty(understood.title === '')
    setWaiting(isReading)
    if (understood.title === '' || isReading) return
    const said = m.added(understood.title)
    const sent = write(adding(understood, { zone: asking.zone, calendars, said, given }))
    setDraft(undefined)
    void keepUntilDone(draftKey, typed, sent, (line) => line)
    onAdded()
  }
  const sendWaiting = useEffectEvent(() => isWaiting && send())
  useEffect(() => {
    if (!isReading) sendWaiting()
  }, [isReading])
  return {
    line: typed.line,
    understood,
    calendar: calendars.find(({ id, is_default: isDefault }) =>
      understood.calendarId === undefined ? isDefault : id === understood.calendarId,
    ),
    isEmpty,
    /** Whether the line is sent as soon as the calendars are read. */
    isWaiting,
    type: (line: string) => change(line === '' ? { ...NOTHING, kind } : { line }),
    choose: (chosen: QuickKind) => change({ kind: chosen }),
    reject: (key: string) => change({ rejected: [...typed.rejected, key] }),
    send,
  }
}

function useAsking({ rejected, kind }: Typed, calendars: readonly CalendarView[]): Asking & { zone: string } {
  const { settings } = useSignedIn()
  const { language } = useLanguage()
  const zone = useZone()
  const here = now().toZonedDateTimeISO(zone)
  return {
    zone,
    language,
    kind,
    rejected: new Set(rejected),
    today: here.toPlainDate(),
    now: here.toPlainTime(),
    dayFirst: !isMonthFirst(localeOf(language)),
    dayStartsAt: Temporal.PlainTime.from(settings.notify_day_at),
    calendars: calendars.filter(({ access, is_system: isSystem }) => access !== 'read' && !isSystem),
  }
}
