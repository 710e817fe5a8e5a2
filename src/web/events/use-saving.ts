import { useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { EventView, NewEvent } from '../../features/events/events/model'
import type { Intent } from '../store/commands'
import type { CommandOutcome } from '../store/notes'
import { useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { useMessages } from '../messages/language'
import { changedParts, isOfSeries } from './changes'
import { changing, creating, deleting, inviting, type SeriesReach } from './intents'
import { eventTexts } from './texts'

/** A draft that can be saved, and what it started from. */
interface Sendable {
  readonly mine: NewEvent
  /** Users to invite with it. */
  readonly guests: readonly number[]
  readonly before: NewEvent
}

/** What was saved, as it shows; nothing after a deletion. */
export type SavedEvent = EventView | undefined

/** A question that must be answered before the change goes out. */
type Question =
  | { readonly is: 'change'; readonly sendable: Sendable; readonly isShared: boolean }
  | { readonly is: 'delete' }

interface Editing {
  /** The event or occurrence as it was opened; undefined for a new one. */
  readonly opened: EventView | undefined
  readonly calendars: readonly CalendarView[]
  /** The address of the editor. */
  readonly from: string
}

/** A change on its way. */
export interface SentEvent {
  readonly id: string
  readonly done: Promise<CommandOutcome>
}

/** Saves what an editor made, at once, and asks before where it is not plain what is meant (contract: web.event-editor). */
export function useSaving(editing: Editing, onDone: (saved: SavedEvent, sent?: SentEvent) => void) {
  const { opened } = editing
  const [question, ask] = useState<Question>()
  const { create, change, remove } = useWrites(editing, onDone)
  return {
    question,
    closeQuestion: () => ask(undefined),
    save: (sendable: Sendable) => {
      if (!opened) return create(sendable)
      const { mine, before } = sendable
      const isPlain = opened.occurrence_start === null || changedParts(before, mine).length === 0
      if (isPlain) return change(sendable, 'all')
      return ask({ is: 'change', sendable, isShared: isOfSeries(before, mine) })
    },
    changeAs: (sendable: Sendable, scope: SeriesReach) => {
      ask(undefined)
      change(sendable, scope)
    },
    askToDelete: () => ask({ is: 'delete' }),
    remove: (scope: SeriesReach) => {
      ask(undefined)
      remove(scope)
    },
  }
}

function useWrites(
  { opened, calendars, from }: Editing,
  onDone: (saved: SavedEvent, sent?: SentEvent) => void,
) {
  const m = useMessages(eventTexts)
  const store = useStore()
  const write = useWriting()
  const invite = (id: number, guests: readonly number[], isAlone: boolean) => {
    if (guests.length === 0) return
    const intent = inviting(id, guests, m.invitedCount(guests.length))
    if (isAlone) write(intent)
    else store.run(intent)
  }
  return {
    create: ({ mine, guests }: Sendable) => {
      const { item, intent } = creating(mine, calendars, { said: m.added(mine.title), from })
      const sent = write(intent)
      invite(item.id, guests, false)
      onDone(item, sent)
    },
    change: ({ mine, guests, before }: Sendable, scope: SeriesReach) => {
      if (!opened) return
      const words = { said: m.changed(mine.title), from }
      const intent = changing({ opened, before, after: mine, scope }, calendars, words)
      const sent = intent && write(intent)
      invite(opened.id ?? 0, guests, !intent)
      onDone(intent && { ...opened, ...fieldsOf(intent) }, sent)
    },
    remove: (scope: SeriesReach) => {
      if (!opened) return
      write(deleting(opened, scope, m.deleted(opened.title)))
      onDone(undefined)
    },
  }
}

const fieldsOf = ({ apply: [effect] }: Intent) => (effect?.is === 'patch' ? effect.fields : {})
