import { useCallback } from 'react'
import { announce } from '../parts/messages-store'
import type { Intent } from './commands'
import { useStore } from './use-store'

/** Does something at once and says so, with a way back. What the service makes of it is told by the frame. */
export function useWriting() {
  const store = useStore()
  return useCallback(
    (intent: Intent) => {
      const run = store.run(intent)
      announce({
        text: intent.said,
        ...(intent.canUndo !== false && { undo: () => void store.undo(run.id) }),
      })
      return run
    },
    [store],
  )
}
