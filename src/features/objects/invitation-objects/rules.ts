import { timesAt } from '../../events/events/rules.times'
import { wallToText, type WallTime } from '../../../lib/time/wall-time'
import { USER_URN, uuidUrn } from '../../../lib/uuid-urn'
import type { Exported, ExportedOccurrence } from '../../calendars/export/rules'
import { textsOfKept } from '../../calendars/export/rules.kept'

/** What the programs of an invitee keep with a component of the event. */
export interface OwnParts {
  /** The value of TRANSP. */
  readonly transparency?: string
  /** VALARM components, as they were written. */
  readonly alarms: string
}

/** An event as an invitee sees it, with what their programs keep. */
export interface InvitedEvent {
  readonly exported: Exported
  readonly isCancelled: boolean
  readonly organiser: Party
  readonly invitee: Party
  readonly email: string | null
  /** Null while unanswered. */
  readonly response: InviteeAnswer | null
  /** The answers to single occurrences. */
  readonly answers: ReadonlyMap<WallTime, InviteeAnswer>
  readonly parts: Readonly<Record<string, OwnParts>>
}

interface Party {
  readonly id: number
  readonly name: string
}

export const invitationName = (id: number): string => `inv-${id}.ics`

/** The invitation of which an object has its name. */
export function invitationOf(name: string): number | undefined {
  const [, id] = /^inv-([1-9]\d{0,8})\.ics$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

/** The key of the series among own parts; that of an occurrence is its original start. */
export const SERIES = ''
export const partKey = (wall: WallTime): string => wallToText(wall)

/** What an answer is called in iCalendar (RFC 5545, section 3.2.12). */
export const PARTSTATS = {
  Going: 'ACCEPTED',
  Tentative: 'TENTATIVE',
  Declined: 'DECLINED',
} as const

export type InviteeAnswer = keyof typeof PARTSTATS
export const UNANSWERED = 'NEEDS-ACTION'

export const addressOf = ({ id }: Pick<Party, 'id'>): string => uuidUrn(USER_URN, id)

const named = ({ name }: Party) => `CN="${name.replaceAll('"', "'")}"`

/** The lines of a component beside its times and texts. */
function ownLines(
  { organiser, invitee, isCancelled, parts }: InvitedEvent,
  response: InviteeAnswer | null,
  key: string,
): string[] {
  const own = parts[key] ?? parts[SERIES]
  const status = response === null ? `PARTSTAT=${UNANSWERED};RSVP=TRUE` : `PARTSTAT=${PARTSTATS[response]}`
  const alarms = own?.alarms.replaceAll(/(?:\r\n|\n|\r)[ \t]/g, '').split(/\r\n|\n|\r/) ?? []
  return [
    ...(isCancelled ? ['STATUS:CANCELLED'] : []),
    ...(own?.transparency === undefined ? [] : [`TRANSP:${own.transparency}`]),
    `ORGANIZER;${named(organiser)}:${addressOf(organiser)}`,
    `ATTENDEE;${named(invitee)};${status}:${addressOf(invitee)}`,
    ...alarms.filter((line) => line !== ''),
  ]
}

/**
 * What is printed of an event for its invitee: what JSON shows them of it, with the invitee's own answers and alarms, and without
 * the lines that the organiser's programs wrote (contract: dav.invitations).
 */
export function asInvited(invited: InvitedEvent): Exported {
  const { exported, response, answers } = invited
  const kept = ownLines(invited, response, SERIES)
  const overridden = (one: ExportedOccurrence): ExportedOccurrence => {
    const lines = ownLines(invited, answers.get(one.wall) ?? response, partKey(one.wall))
    return { ...one, changes: { ...one.changes, reminderMinutes: reminder(lines) }, kept: lines }
  }
  return {
    ...exported,
    texts: { ...exported.texts, reminderMinutes: reminder(kept) },
    kept,
    occurrences: withAnswered(invited).map(overridden),
  }
}

const reminder = (lines: readonly string[]) => textsOfKept(lines).reminderMinutes

/** The occurrences that differ from their series, also by an answer or an alarm. */
function withAnswered({ exported, answers, parts }: InvitedEvent): ExportedOccurrence[] {
  const { occurrences, series, times } = exported
  const known = new Set(occurrences.map(({ wall }) => wall))
  const told = Object.keys(parts).filter((key) => key !== SERIES)
  const walls = new Set([...answers.keys(), ...told.map((key) => Date.parse(`${key}Z`))])
  const added = [...walls]
    .filter((wall) => !known.has(wall) && series?.has(wall))
    .map((wall): ExportedOccurrence => ({
      wall,
      isCancelled: false,
      times: timesAt(times, wall),
      changes: {},
      kept: null,
      textStart: null,
    }))
  return [...occurrences, ...added].toSorted((a, b) => a.wall - b.wall)
}
