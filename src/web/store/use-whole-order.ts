import { useCallback } from 'react'
import { refusalOf } from '../api/refusal'
import type { ListPage } from '../api/use-pages'
import { useRefusals } from '../messages/refusals'
import { announce } from '../parts/messages-store'
import type { Intent } from './commands'
import { useStore } from './use-store'

/** A move in a list whose order is written as a whole. */
export interface OrderMove {
  /** The list as this device has it. */
  readonly ids: readonly number[]
  /** The move in a list of these ids; undefined where what it moves is not in it. */
  readonly intent: (ids: readonly number[]) => Intent | undefined
  /** Reads a page of the list as the service has it. */
  readonly read: (cursor: string | undefined) => Promise<ListPage<{ readonly id: number }>>
}

/** A list that differs from the service's is refused with it. */
const OUT_OF_DATE = 409

/** The most that the service gives of a list on a page. */
export const MOST_ON_A_PAGE = 200

async function readIds(read: OrderMove['read']): Promise<readonly number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

/** Writes a new order and says so. Where the list has changed meanwhile, it is read and the move made once more (contract: web.orders). */
export function useWholeOrder(): (move: OrderMove) => void {
  const store = useStore()
  const { sentence } = useRefusals()
  return useCallback(
    ({ ids, intent, read }) => {
      const first = intent(ids)
      if (!first) return
      let run = store.run({ ...first, quietAt: OUT_OF_DATE })
      announce({ text: first.said, undo: () => void store.undo(run.id) })
      const follow = async () => {
        const outcome = await run.done
        if (outcome.is !== 'refused' || outcome.refusal.status !== OUT_OF_DATE) return
        try {
          const again = intent(await readIds(read))
          if (again) run = store.run(again)
        } catch (error) {
          const refusal = refusalOf(error)
          if (!refusal) throw error
          announce({ text: sentence(refusal), isError: true })
        }
      }
      void follow()
    },
    [store, sentence],
  )
}
