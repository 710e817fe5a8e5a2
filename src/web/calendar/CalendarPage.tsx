import { useMemo } from 'react'
import { Redirect, useParams } from 'wouter'
import { calendarAddress, VIEWS } from '../app/addresses'
import { readDate } from '../time/days'
import { useToday } from '../time/use-now'
import { Calendar } from './Calendar'
import { useCalendarOptions } from './options'
import { useIsNarrow } from './use-narrow'

/** The calendar at the view and the date of its address; without them, at the last view and today. */
export function CalendarPage() {
  const params = useParams<{ view?: string; date?: string }>()
  const options = useCalendarOptions()
  const isNarrow = useIsNarrow()
  const today = useToday()
  const view = VIEWS.find((known) => known === params.view)
  const asked = params.date ?? ''
  const date = useMemo(() => readDate(asked), [asked])
  if (view && date) return <Calendar view={view} date={date} />
  return <Redirect to={calendarAddress(options.view ?? (isNarrow ? 'agenda' : 'week'), today)} replace />
}
