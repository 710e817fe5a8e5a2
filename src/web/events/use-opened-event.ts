import { useCallback, useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import { useAnswer } from '../api/use-answer'
import { refusalOf } from '../api/refusal'
import { readEvent, readEventAt } from '../store/read-event'
import type { Store } from '../store/store'
import { useStore } from '../store/use-store'

/** 422 is the answer to an occurrence that is no day or time. */
const GONE: ReadonlySet<number> = new Set([404, 422])

/** The event or occurrence of an address: as it shows here, else as the service says; without an occurrence, the first one of a series. */
export function useOpenedEvent(id: number, at: string | undefined) {
  const store = useStore()
  // An editor begins with what was opened; what comes in later is merged.
  const [held] = useState(() => heldBy(store, id, at))
  const ask = useCallback(async () => held ?? readOpened(store, id, at), [store, held, id, at])
  const { value, refusal, again } = useAnswer(ask)
  return { event: held ?? value, refusal, again }
}

function heldBy(store: Store, id: number, at: string | undefined): EventView | undefined {
  const event = store.find({ kind: 'event', id, at }) as EventView | undefined
  return event && (event.occurrence_start ?? undefined) === at ? event : undefined
}

/** Reads an event or occurrence that is opened. */
export async function readOpened(
  store: Store,
  id: number,
  at: string | undefined,
): Promise<EventView | 'gone'> {
  if (!Number.isSafeInteger(id) || id < 1) return 'gone'
  try {
    const event = await readOccurrenceOf(id, at)
    store.windows.meet(event)
    return event
  } catch (error) {
    if (GONE.has(refusalOf(error)?.status ?? 0)) return 'gone'
    throw error
  }
}

async function readOccurrenceOf(id: number, at: string | undefined): Promise<EventView> {
  if (at !== undefined) return readEventAt(id, at)
  const event = await readEvent(id)
  const first = event.start_at ?? event.start_date
  if (event.recurrence_rule === null || first === null) return event
  // The first one may be deleted: then the series itself is opened.
  return readEventAt(id, first).catch((error: unknown) => {
    if (refusalOf(error)?.status === 404) return event
    throw error
  })
}
