import type { Actor } from './harness'
import { act, type Pushing, startPushing } from './ntfy'
import { type Per, useStarted } from './use-started'

type Options = NonNullable<Parameters<typeof startPushing>[0]>

/** The app with a push server and its jobs, for each test unless it says otherwise. */
export function usePushing({ per = 'test', ...options }: Options & { per?: Per } = {}) {
  const h: Pushing = useStarted(
    per,
    () => startPushing(options),
    (pushing) => pushing[Symbol.asyncDispose](),
  )
  return {
    h,
    /** The time in so many minutes. */
    soon: (minutes: number) => new Date(+h.clock.now() + minutes * 60_000).toISOString(),
    /** Moves the clock to a time. */
    moveTo: (iso: string) => h.clock.advance({ ms: Date.parse(iso) - +h.clock.now() }),
  }
}

/** Creates a reminder and returns it. */
export const remind = (actor: Actor, title: string, remindAt: string, more: object = {}) =>
  act(actor, 'POST', '/api/reminders', { title, remind_at: remindAt, ...more })
