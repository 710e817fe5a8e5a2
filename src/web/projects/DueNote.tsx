import { useLocale, useMessages } from '../messages/language'
import { shortDay } from '../time/format'
import { useToday } from '../time/use-now'
import { projectTexts } from './texts'

interface DueNoteProps {
  readonly day: string | null
  /** What is done is never overdue. */
  readonly isDone: boolean
}

/** The day on which something is due, or since when it is overdue. */
export function DueNote({ day, isDone }: DueNoteProps) {
  const m = useMessages(projectTexts)
  const locale = useLocale()
  const today = useToday()
  if (day === null) return null
  const isOverdue = !isDone && day < today.toString()
  const written = shortDay(Temporal.PlainDate.from(day), locale)
  return (
    <span className="due-note" data-overdue={isOverdue || undefined}>
      {isOverdue ? m.overdue(written) : m.due(written)}
    </span>
  )
}
