import { useCallback } from 'react'
import type { UndoView } from '../../features/overview/operations/model'
import { call } from '../api/call'
import { randomKey } from '../api/random'
import { type Refusal, refusalOf } from '../api/refusal'
import { useLanguage } from '../messages/language'
import { announce } from '../parts/messages-store'
import { textOfNotice } from '../store/notices'
import { undoPath } from '../store/undo'
import { useStore } from '../store/use-store'

interface Undone {
  readonly undoneBy: string
}

interface UndoingOptions {
  /** What a message says afterwards, if it is not that something was undone. */
  readonly done?: string | undefined
  /** Whether a message says why not. */
  readonly isTold?: boolean
}

/**
 * Returns a function that undoes an operation of the service and says so, or why not unless the caller says it in place. It answers
 * the refusal, or the operation that the undoing was, which can be undone itself.
 */
export function useUndoing() {
  const store = useStore()
  const { language } = useLanguage()
  return useCallback(
    async (
      operationId: string,
      said: string,
      { done, isTold = true }: UndoingOptions = {},
    ): Promise<Undone | Refusal> => {
      try {
        const { body } = await call<UndoView>('POST', undoPath(operationId), { idempotencyKey: randomKey() })
        store.receive(body)
        announce({ text: done ?? textOfNotice({ is: 'undone', said }, language) })
        return { undoneBy: body.operation_id }
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        if (isTold)
          announce({ text: textOfNotice({ is: 'not-undone', said, refusal }, language), isError: true })
        return refusal
      }
    },
    [store, language],
  )
}
