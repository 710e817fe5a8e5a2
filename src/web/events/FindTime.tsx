import { useCallback, useEffect, useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import type { FreeBusyBody, FreeBusyView } from '../../features/events/free-times/model'
import { useAnswer } from '../api/use-answer'
import { useLocale, useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { ProblemNote } from '../parts/ProblemNote'
import { Select } from '../parts/Select'
import { Skeleton } from '../parts/Skeleton'
import { useSignedIn } from '../session/use-session'
import { isLocal } from '../store/commands'
import { useRecords, useStore } from '../store/use-store'
import { dateAt } from '../time/days'
import { clockTime, dayTitle, periodTitle, shortDay } from '../time/format'
import { useZone } from '../time/use-zone'
import {
  bodyFor,
  fieldsAt,
  lengthOf,
  periodsAround,
  type Proposal,
  type SearchPeriod,
  type TimeOfDay,
} from './free-times'
import { findTimes } from './reads'
import type { EventEditorState } from './use-event-editor'
import { useInvitations } from './use-invitations'

const messages = defineMessages({
  en: {
    title: 'Find a time',
    within: 'Days',
    hours: 'Time of day',
    work: 'Monday to Friday, 09:00–17:00',
    day: '08:00–20:00',
    evening: '18:00–22:00',
    any: 'Any time',
    unread: 'Give the event a start and an end first, at most a day apart.',
    times: 'Times',
    allFree: 'Everyone is free',
    busy: (names: string) => `Busy: ${names}`,
    unknown: (names: string) => `Not known: ${names}`,
    never: (period: string) =>
      `You have no time that is free and long enough: ${period}. Try other days or another time of day.`,
    found: (count: number) => counted(count, 'One time', `${count} times`),
    noneForAll: (period: string) => `No time is free for everyone: ${period}.`,
    unshared: 'Nothing is known of people who share no calendar with you.',
  },
  de: {
    title: 'Zeit finden',
    within: 'Tage',
    hours: 'Tageszeit',
    work: 'Montag bis Freitag, 09:00–17:00',
    day: '08:00–20:00',
    evening: '18:00–22:00',
    any: 'Jederzeit',
    unread: 'Der Termin braucht zuerst einen Beginn und ein Ende, höchstens einen Tag auseinander.',
    times: 'Zeiten',
    allFree: 'Alle haben Zeit',
    busy: (names: string) => `Belegt: ${names}`,
    unknown: (names: string) => `Unbekannt: ${names}`,
    never: (period: string) =>
      `Keine freie Zeit, die lang genug ist: ${period}. Vielleicht an anderen Tagen oder zu einer anderen Tageszeit.`,
    found: (count: number) => counted(count, 'Eine Zeit', `${count} Zeiten`),
    noneForAll: (period: string) => `Keine Zeit, zu der alle können: ${period}.`,
    unshared: 'Von Personen, die keinen Kalender teilen, ist nichts bekannt.',
  },
})

interface FindTimeProps {
  readonly editor: EventEditorState
  /** The event, if it is there already. */
  readonly event: EventView | undefined
  /** The form with the fields of the times. */
  readonly formId: string
}

/** Finds a time at which the guests are free (contract: web.find-time). An event of whole days has none. */
export function FindTime({ editor, event, formId }: FindTimeProps) {
  const m = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    const field = chosen > 0 && document.querySelector<HTMLElement>(`form[id="${formId}"] [name=startDate]`)
    if (field) field.focus()
  }, [chosen, formId])
  if (editor.draft.allDay) return null
  const choose = (proposal: Proposal) => {
    editor.change(fieldsAt(proposal, editor.draft, editor.forms))
    setOpen(false)
    setChosen((count) => count + 1)
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {m.title}
      </Button>
      {isOpen && (
        <Dialog title={m.title} onClose={() => setOpen(false)}>
          <Search editor={editor} event={event} onChoose={choose} />
        </Dialog>
      )}
    </>
  )
}

interface SearchProps extends Omit<FindTimeProps, 'formId'> {
  readonly onChoose: (proposal: Proposal) => void
}

/** Where to look, and what was found there. */
function Search({ editor, event, onChoose }: SearchProps) {
  const m = useMessages(messages)
  const locale = useLocale()
  const { settings } = useSignedIn()
  const [within, setWithin] = useState('week')
  const [hours, setHours] = useState<TimeOfDay>('work')
  const zone = useZone()
  const guests = useGuests(editor, event)
  const length = lengthOf(editor.draft, editor.forms)
  if (!length) return <p>{m.unread}</p>
  const { today } = editor.forms
  const periods = periodsAround(dateAt(length.start, zone), today, settings.first_day_of_week)
  const period = periods.find(({ name }) => name === within) ?? periods[0]
  const words = ({ first, last }: SearchPeriod) =>
    first.equals(last) ? dayTitle(first, locale) : periodTitle(first, last, locale)
  return (
    <div className="event-form">
      <Select
        label={m.within}
        options={periods.map((each) => ({ value: each.name, label: words(each) }))}
        value={period.name}
        onChange={setWithin}
      />
      <Select
        label={m.hours}
        options={(['work', 'day', 'evening', 'any'] as const).map((value) => ({ value, label: m[value] }))}
        value={hours}
        onChange={setHours}
      />
      {guests.refusal && <ProblemNote refusal={guests.refusal} onTryAgain={guests.again} />}
      {!guests.ids && !guests.refusal && <Skeleton lines={6} />}
      {guests.ids && (
        <Times
          // What was found for another question is no answer to this one.
          key={`${period.name} ${hours} ${guests.ids.join()}`}
          body={bodyFor({
            minutes: length.minutes,
            period,
            hours,
            guests: guests.ids,
            eventId: knownId(event),
          })}
          period={words(period)}
          onChoose={onChoose}
        />
      )}
    </div>
  )
}

const knownId = (event: EventView | undefined) =>
  event?.id == null || isLocal(event.id) ? undefined : event.id

/** Who is invited or will be; undefined until it is known. */
function useGuests({ guests }: EventEditorState, event: EventView | undefined) {
  const { list, isRead, refusal, again } = useInvitations(event)
  const { loader } = useStore()
  const { items: connections, loading } = useRecords('connection')
  const known = new Set(connections.map((each) => each.user_id))
  const ids = [...new Set([...guests, ...list.map((each) => each.user_id)])].filter((id) => known.has(id))
  const isLost = loading.is === 'refused'
  return {
    ids: isRead && loading.is === 'loaded' ? ids : undefined,
    refusal: refusal ?? (isLost ? loading.refusal : undefined),
    again: () => {
      if (refusal) again()
      if (isLost) loader.retry()
    },
  }
}

interface TimesProps {
  readonly body: FreeBusyBody
  readonly period: string
  readonly onChoose: (proposal: Proposal) => void
}

/** The proposals of the service, each with who is free. */
function Times({ body: asked, period, onChoose }: TimesProps) {
  const m = useMessages(messages)
  const [body] = useState(asked)
  const ask = useCallback(() => findTimes(body), [body])
  const { value, refusal, again } = useAnswer(ask)
  if (refusal) return <ProblemNote refusal={refusal} onTryAgain={again} />
  if (!value) return <Skeleton lines={6} />
  const { proposals, people } = value
  const isGood = proposals.some(({ busy }) => busy.length === 0)
  return (
    <div className="guests">
      <div role="status">
        {isGood && <p className="visually-hidden">{m.found(proposals.length)}</p>}
        {!isGood && <p>{proposals.length === 0 ? m.never(period) : m.noneForAll(period)}</p>}
      </div>
      <ul aria-label={m.times} className="guests times">
        {proposals.map((proposal) => (
          <Time key={proposal.from} proposal={proposal} people={people} onChoose={onChoose} />
        ))}
      </ul>
      {people.some((each) => !each.shares_calendar) && <p className="field-hint">{m.unshared}</p>}
    </div>
  )
}

interface TimeProps extends Pick<FreeBusyView, 'people'>, Pick<TimesProps, 'onChoose'> {
  readonly proposal: Proposal
}

function Time({ proposal, people, onChoose }: TimeProps) {
  const locale = useLocale()
  const zone = useZone()
  const [from, to] = [Temporal.Instant.from(proposal.from), Temporal.Instant.from(proposal.to)]
  const clock = `${clockTime(from, zone, locale)}–${clockTime(to, zone, locale)}`
  return (
    <li>
      <Button onClick={() => onChoose(proposal)}>
        {shortDay(dateAt(from, zone), locale)} {clock}{' '}
        <span className="field-hint">{useWho(proposal, people)}</span>
      </Button>
    </li>
  )
}

/** Who is free then, in words; nothing where nobody is invited. */
function useWho({ busy, unknown }: Proposal, people: FreeBusyView['people']): string {
  const m = useMessages(messages)
  const locale = useLocale()
  if (busy.length + unknown.length === 0) return people.length > 1 ? m.allFree : ''
  const names = (ids: readonly number[]) =>
    new Intl.ListFormat(locale, { type: 'unit' }).format(
      people.flatMap((each) => (ids.includes(each.user_id) ? each.network_name : [])),
    )
  return [
    ...(busy.length > 0 ? [m.busy(names(busy))] : []),
    ...(unknown.length > 0 ? [m.unknown(names(unknown))] : []),
  ].join(' · ')
}
