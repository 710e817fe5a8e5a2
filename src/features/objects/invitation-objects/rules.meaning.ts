import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
import { componentsOf, printText, type TextComponent } from '../../../lib/icalendar/tree'
import type { WallTime } from '../../../lib/time/wall-time'
import { meaningOf, type ReadText, roughlyIn } from '../event-objects/rules.meaning'
import {
  addressOf,
  type InvitedEvent,
  type InviteeAnswer,
  type OwnParts,
  PARTSTATS,
  partKey,
  SERIES,
  UNANSWERED,
} from './rules'

/** What an invitee's program says of an invitation. */
export interface SaidByInvitee {
  readonly answers: readonly SaidAnswer[]
  readonly parts: Readonly<Record<string, OwnParts>>
}

interface SaidAnswer {
  readonly response: InviteeAnswer
  /** Undefined for the series. */
  readonly wall?: WallTime
}

const isOwnAttendee =
  ({ invitee, email }: InvitedEvent) =>
  ({ name, value }: ContentLine) => {
    const address = value.trim().toLowerCase()
    return name === 'ATTENDEE' && [addressOf(invitee), `mailto:${email?.toLowerCase()}`].includes(address)
  }

/** The lines of a component that nobody but the organiser may say. */
const othersIn = (component: CalendarComponent, invited: InvitedEvent): string => {
  const isOwn = isOwnAttendee(invited)
  return roughlyIn(component, (line) => line.name === 'TRANSP' || isOwn(line))
}

const isOverride = ([, { lines }]: ReadText['components'][number]) =>
  lines.some(({ name }) => name === 'RECURRENCE-ID')

/** Whether a text says of the event itself what the present one says. */
function isSameEvent(given: ReadText, present: ReadText, invited: InvitedEvent): boolean {
  const [master] = present.components
  const others = master ? othersIn(master[1], invited) : ''
  return (
    given.components.filter((one) => !isOverride(one)).length === 1 &&
    given.components.every(([, component]) => othersIn(component, invited) === others) &&
    meaningOf(given.event) === meaningOf(present.event)
  )
}

/** The answer in a component: null while unanswered, undefined for one that nobody can give here. */
function answerIn({ lines }: CalendarComponent, invited: InvitedEvent): InviteeAnswer | null | undefined {
  const own = lines.find(isOwnAttendee(invited))
  if (!own) return undefined
  const status = statusOf(own)
  if (status === UNANSWERED) return null
  return RESPONSES.find((response) => PARTSTATS[response] === status)
}

/** Other values that are quoted may hold anything. */
function statusOf({ text, value }: ContentLine): string {
  const head = text
    .slice(0, text.length - value.length)
    .replaceAll(/"([\w-]+)"/g, '$1')
    .replaceAll(/"[^"]*"/g, '')
  return (/;\s*PARTSTAT\s*=\s*([\w-]+)/i.exec(head)?.[1] ?? UNANSWERED).toUpperCase()
}

const RESPONSES = ['Going', 'Tentative', 'Declined'] as const

/** What the text says of the invitee's own; undefined where it says anything else than the present one. */
export function saidIn(given: ReadText, present: ReadText, invited: InvitedEvent): SaidByInvitee | undefined {
  if (!isSameEvent(given, present, invited)) return undefined
  const walls = new Map(given.event.placed.map(({ component, wall }) => [component, wall]))
  const all = given.components.map(([text, component]) => ({ text, wall: walls.get(component), component }))
  const told = new Map<WallTime | undefined, InviteeAnswer | null>()
  for (const { wall, component } of all) {
    const answer = answerIn(component, invited)
    if (answer === undefined) return undefined
    told.set(wall, answer)
  }
  const answers = newAnswers(told, invited)
  return answers && { answers, parts: partsOf(all) }
}

/** The answers that are new; undefined when one would be taken back, which nobody can. */
function newAnswers(
  told: ReadonlyMap<WallTime | undefined, InviteeAnswer | null>,
  { response, answers }: InvitedEvent,
): SaidAnswer[] | undefined {
  const series = told.get(undefined) ?? null
  const walls = [...new Set([...answers.keys(), ...told.keys()])].filter((wall) => wall !== undefined)
  const each = walls.map((wall) => ({
    wall,
    wanted: told.has(wall) ? (told.get(wall) ?? null) : series,
    before: answers.get(wall) ?? null,
  }))
  const changes = [
    { wall: undefined, wanted: series, before: response, effective: response },
    ...each.map((one) => ({ ...one, effective: one.before ?? series })),
  ]
  if (changes.some(({ wanted, before }) => wanted === null && before !== null)) return undefined
  return changes.flatMap(({ wall, wanted, effective }) => {
    if (wanted === null || wanted === effective) return []
    return wall === undefined ? { response: wanted } : { response: wanted, wall }
  })
}

/** The own parts of the series, and of occurrences that have others. */
function partsOf(all: ReadonlyArray<{ readonly text: TextComponent; readonly wall: WallTime | undefined }>) {
  const each = all.map(({ text, wall }) => [wall, partOf(text)] as const)
  const series = each.find(([wall]) => wall === undefined)?.[1] ?? { alarms: '' }
  const saysNothing = series.alarms === '' && series.transparency === undefined
  const others = each.flatMap(([wall, part]) =>
    wall === undefined || isSamePart(part, series) ? [] : [[partKey(wall), part] as const],
  )
  return Object.fromEntries([...(saysNothing ? [] : [[SERIES, series] as const]), ...others])
}

const isSamePart = (one: OwnParts, other: OwnParts) =>
  one.alarms === other.alarms && one.transparency === other.transparency

function partOf({ parts }: TextComponent): OwnParts {
  const alarms = printText(componentsOf(parts, 'VALARM'))
  return { alarms, ...(parts.some(isTransparent) && { transparency: 'TRANSPARENT' }) }
}

const isTransparent = (part: TextComponent['parts'][number]) =>
  'raw' in part && part.name === 'TRANSP' && /:\s*TRANSPARENT\s*$/i.test(part.raw)
