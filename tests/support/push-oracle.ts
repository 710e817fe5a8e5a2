const HOUR = 3_600_000

export interface Settings {
  time_zone: string
  notify_day_at: string
  ntfy_todo_lead_days: number
  ntfy_project_lead_days: number
  ntfy_event_lead_minutes: number
}

export type Kind = 'reminder' | 'event' | 'day' | 'guest' | 'todo' | 'project' | 'birthday'
export type Response = 'Going' | 'Tentative' | 'Declined'

export interface Item {
  readonly kind: Kind
  readonly title: string
  id: number
  /** Wall time in Berlin, `YYYY-MM-DDTHH:MM`. */
  wall: string
  /** Repeats after so many days. */
  readonly every: number | null
  readonly lead: number | null
  /** How long an event takes, and how many days. */
  readonly minutes: number
  readonly days: number
  /** When its times were last set, or, of what somebody is invited to, when they last answered it. */
  entered: number
  /** Of an event of somebody else. */
  readonly invitation?: {
    readonly id: number
    readonly at: number
    response: Response | null
    /** For single occurrences, by their starts. */
    readonly answers: Map<string, Response>
  }
}

/** When an item takes place, within a month of `now`: one after the other, without any window or index. */
function startsOf({ kind, wall, every }: Item, now: number): Temporal.PlainDateTime[] {
  const first = Temporal.PlainDateTime.from(wall)
  if (kind === 'birthday') return [first, first.add({ years: 1 })]
  if (every === null || kind === 'todo' || kind === 'project') return [first]
  const starts: Temporal.PlainDateTime[] = []
  const isNear = (start: Temporal.PlainDateTime) =>
    start.toZonedDateTime('UTC').epochMilliseconds < now + 40 * 24 * HOUR
  for (let n = 0; isNear(first.add({ days: n * every })); n++) starts.push(first.add({ days: n * every }))
  return starts
}

/** How many days before its own an item is told of that has a day but no time. */
const DAYS_AHEAD: Readonly<Record<Kind, (item: Item, settings: Settings) => number | undefined>> = {
  reminder: () => undefined,
  event: () => undefined,
  guest: () => undefined,
  day: ({ lead }, settings) => Math.floor((lead ?? settings.ntfy_event_lead_minutes) / 1440),
  birthday: (_, settings) => Math.floor(settings.ntfy_event_lead_minutes / 1440),
  todo: (_, settings) => settings.ntfy_todo_lead_days,
  project: (_, settings) => settings.ntfy_project_lead_days,
}

/** Whether it was over when it was entered, as the user's clocks say; what has no end never is. */
function wasOver(item: Item, start: Temporal.PlainDateTime, settings: Settings): boolean {
  const { kind, minutes, days, entered } = item
  const endOf = (length: number) =>
    start.toPlainDate().add({ days: length }).toZonedDateTime(settings.time_zone).epochMilliseconds
  if (kind === 'day') return endOf(days) < entered
  if (kind === 'birthday') return endOf(1) < entered
  const instant = start.toZonedDateTime('Europe/Berlin').epochMilliseconds
  return (kind === 'event' || kind === 'guest') && instant + minutes * 60_000 < entered
}

interface Told {
  readonly at: number
  readonly about: string
}

function toldOf(item: Item, start: Temporal.PlainDateTime, settings: Settings): Told[] {
  const instant = start.toZonedDateTime('Europe/Berlin').epochMilliseconds
  const day = start.toPlainDate()
  const days = DAYS_AHEAD[item.kind](item, settings)
  const at = (before: number) =>
    day
      .subtract({ days: before })
      .toPlainDateTime(Temporal.PlainTime.from(settings.notify_day_at))
      .toZonedDateTime(settings.time_zone).epochMilliseconds
  if (days === undefined) {
    const minutes = item.kind === 'reminder' ? 0 : (item.lead ?? settings.ntfy_event_lead_minutes)
    return [{ at: instant - minutes * 60_000, about: String(instant) }]
  }
  const onIt = { at: at(0), about: day.toString() }
  return days === 0 ? [onIt] : [{ at: at(days), about: `${day.toString()} ahead` }, onIt]
}

/** What somebody is invited to is told of once they said that they may come, unless it had begun before, or ended and is late. */
function isTold({ invitation, minutes }: Item, start: Temporal.PlainDateTime, now: number) {
  if (!invitation) return () => true
  const instant = start.toZonedDateTime('Europe/Berlin').epochMilliseconds
  const response = invitation.answers.get(start.toString()) ?? invitation.response
  const comes = response === 'Going' || response === 'Tentative'
  const hasEnded = instant + minutes * 60_000 < now
  return ({ at }: Told) => comes && instant >= invitation.at && (!hasEnded || now - at <= 120_000)
}

/** All moments of an item within a month of `now`. */
const momentsOf = (item: Item, settings: Settings, now: number) =>
  startsOf(item, now).flatMap((start) => {
    if (wasOver(item, start, settings)) return []
    const { kind, every, title } = item
    const isTimed = kind === 'event' || kind === 'guest'
    const isOne = kind === 'birthday' || (every !== null && (isTimed || kind === 'day'))
    const known = isTimed ? start.toString() : start.toPlainDate().toString()
    const occurrence = isOne ? known : ''
    const told = toldOf(item, start, settings).filter(isTold(item, start, now))
    return told.map(({ at, about }) => ({
      at,
      subject: `${title} ${occurrence} ${about}`,
      occurrence,
    }))
  })

/** Whoever is told of what, by somebody who forgets nothing and looks at everything each time. */
export class Oracle {
  readonly items: Item[] = []
  readonly #sent = new Set<string>()
  readonly #told = new Map<string, number>()

  /** Titles and fire times of what is to be sent by now. */
  tick(settings: Settings, now: number): string[] {
    const due = this.items.flatMap((item) =>
      momentsOf(item, settings, now)
        .filter(({ at }) => at <= now && at > now - 24 * HOUR)
        .map(({ at, subject, occurrence }) => {
          const line = `${item.title} at ${new Date(at).toISOString()}`
          return { at, subject, line, key: `${line} ${occurrence}` }
        }),
    )
    const fresh = due.filter(
      ({ at, subject, key }) => !this.#sent.has(key) && (this.#told.get(subject) ?? 0) < at,
    )
    for (const { subject, key } of fresh) {
      this.#sent.add(key)
      this.#told.set(subject, now)
    }
    return fresh.map(({ line }) => line).toSorted()
  }
}
