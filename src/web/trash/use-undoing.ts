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

/**
 * Returns a function that undoes an operation of the service and says so, or why not unless the caller says it in place. It answers
 * the refusal, if there was one.
 */
export function useUndoing() {
  const store = useStore()
  const { language } = useLanguage()
  return useCallback(
    async (
      operationId: string,
      said: string,
      refusedIn: 'message' | 'place' = 'message',
    ): Promise<Refusal | undefined> => {
      try {
        const { body } = await call<UndoView>('POST', undoPath(operationId), { idempotencyKey: randomKey() })
        store.receive(body)
        announce({ text: textOfNotice({ is: 'undone', said }, language) })
        return undefined
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        if (refusedIn === 'message')
          announce({ text: textOfNotice({ is: 'not-undone', said, refusal }, language), isError: true })
        return refusal
      }
    },
    [store, language],
  )
}
