import type { Access } from '../../../access/calendars/rules'
import { type AppError, forbidden } from '../../../lib/errors'
import type { Texts } from './rules.texts'

export type Visibility = 'public' | 'private'

/** What stands for the title of a private event (contract: events.visibility). */
const BUSY = 'Busy'

/** All that members are told of a private event besides its times. */
export const MASKED: Texts = { title: BUSY, description: null, location: null, reminderMinutes: null }

/** An event, and how the reader has access to its calendar; null for whoever sees it by invitation alone. */
interface EventReading {
  readonly visibility: Visibility
  readonly access: Access | null
}

/** Whether the event is private and in somebody else's calendar, so that the reader cannot change it. */
export const isOthersPrivate = ({ visibility, access }: EventReading): boolean =>
  visibility === 'private' && access !== null && access !== 'owner'

/** Whether the reader is told no more of the event than its times: all members but those who are invited to it. */
export const isMasked = (reading: EventReading & { readonly isInvited: boolean }): boolean =>
  isOthersPrivate(reading) && !reading.isInvited

/** Returns a 403 when the reader may not change the event because it is private. */
export const refusalOfPrivate = (reading: EventReading): AppError | undefined =>
  isOthersPrivate(reading)
    ? forbidden('Only the owner of the calendar can change a private event')
    : undefined

/** Returns a 403 when the event would be private in a calendar of somebody else, where its writer could not see it. */
export const refusalOfHiding = (visibility: Visibility | undefined, access: Access): AppError | undefined =>
  visibility === 'private' && access !== 'owner'
    ? forbidden('Only the owner of the calendar can make an event private')
    : undefined

/** The part of an override that a member is told of a private event: its times, or that it does not take place. */
export const maskedOverride = <
  O extends {
    readonly isCancelled: boolean
    readonly changes: object
    readonly startAt: Date | null
    readonly startDate: string | null
  },
>(
  override: O,
): O | undefined =>
  override.isCancelled || override.startAt !== null || override.startDate !== null
    ? { ...override, changes: {} }
    : undefined
