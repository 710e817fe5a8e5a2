/** A writer and a reader have accepted, `asked` has not answered yet, and the former member was a writer. */
export const ROLES = ['owner', 'writer', 'reader', 'stranger', 'former', 'asked'] as const
export type Role = (typeof ROLES)[number]

/** A status; `403`; `404` and what is not found; `shown` and `hidden` are 200, by what `shows` finds in the answer. */
type Outcome = 200 | 201 | 204 | 403 | 409 | 'shown' | 'hidden' | `404 ${Resource}`
export const RESOURCES = {
  Calendar: 'calendar',
  Event: 'event',
  Invitation: 'invitation',
  Member: 'member',
  Invite: 'invite',
  'Event template': 'template',
} as const
export type Resource = keyof typeof RESOURCES

/** The ids that a request may name. */
export interface Scene {
  readonly calendar: number
  /** A daily series of the owner's in that calendar. */
  readonly event: number
  /** Of a guest to that event. */
  readonly invitation: number
  /** Of the row's choice, see `member`. */
  readonly member: number
  /** To whom is `asked`. */
  readonly invite: number
  /** A template of the owner's that names the calendar. */
  readonly template: number
  /** Who is connected with the owner, and not a member. */
  readonly guest: number
  /** A calendar of the caller's own, and an event in it. */
  readonly own: { readonly calendar: number; readonly event: number }
}

export interface Row {
  readonly operation: string
  readonly what?: string
  readonly params?: (scene: Scene) => Record<string, number>
  readonly query?: (scene: Scene) => Record<string, string>
  /** JSON, or a text that is sent as it is under `contentType`. */
  readonly body?: (scene: Scene) => unknown
  readonly contentType?: string
  /** Whose membership `scene.member` is. */
  readonly member?: 'writer' | 'reader' | 'asked'
  readonly shows?: (body: Record<string, ReadonlyArray<Record<string, unknown>>>, scene: Scene) => boolean
  /** In the order of `ROLES`. */
  readonly outcomes: readonly [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome]
}

export const everybody = (outcome: Outcome): Row['outcomes'] => [
  outcome,
  outcome,
  outcome,
  outcome,
  outcome,
  outcome,
]
/** What the three who see the calendar get, and what all others do. */
export const seen = (owner: Outcome, writer: Outcome, reader: Outcome, others: Outcome): Row['outcomes'] => [
  owner,
  writer,
  reader,
  others,
  others,
  others,
]
export const asked = (outcome: Outcome, others: Outcome): Row['outcomes'] => [
  others,
  others,
  others,
  others,
  others,
  outcome,
]

export const calendar = ({ calendar: id }: Scene) => ({ id })
export const event = ({ event: id }: Scene) => ({ id })
export const template = ({ template: id }: Scene) => ({ id })
export const ownEvent = ({ own }: Scene) => ({ id: own.event })
export const invite = ({ invite: id }: Scene) => ({ id })
export const membership = ({ calendar: id, member: member_id }: Scene) => ({
  id,
  member_id,
})
export const invitation = ({ event: id, invitation: invitation_id }: Scene) => ({ id, invitation_id })
export const ownInvitation = ({ invitation: id }: Scene) => ({ id })
export const scope = (name: string) => () => ({
  scope: name,
  occurrence_start: '2026-03-11T09:00',
})
export const window = () => ({ from: '2026-03-09', to: '2026-03-16' })
export const always = (value: unknown) => () => value

export const DAILY = {
  title: 'Choir',
  start_at: '2026-03-10T09:00',
  end_at: '2026-03-10T10:00',
  recurrence_rule: 'FREQ=DAILY;COUNT=4',
}
export const GONE = '404 Calendar'
export const WRITE = seen(200, 200, 403, '404 Event')
export const DELETE = seen(204, 204, 403, '404 Event')
