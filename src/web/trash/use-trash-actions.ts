import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TrashItemView } from '../../features/overview/trash/model'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { announce } from '../parts/messages-store'
import { addressOf, deleteForGood, emptyTrash, restore } from './data'
import { messages } from './trash.messages'
import { useUndoing } from './use-undoing'
import { insideNames, insideOf } from './words'

type Change = (changed: (items: readonly TrashItemView[]) => readonly TrashItemView[]) => void

const NO_PROBLEMS: ReadonlyMap<number, string> = new Map()

/** What can be done to what is in the trash. */
export function useTrashActions(change: Change) {
  const m = useMessages(messages)
  const inside = useMessages(insideNames)
  const { sentence } = useRefusals()
  const [, navigate] = useLocation()
  const undo = useUndoing()
  const [restoring, setRestoring] = useState<number>()
  const [problems, setProblems] = useState(NO_PROBLEMS)
  const drop = (id: number) => change((items) => items.filter((each) => each.id !== id))

  const bringBack = async (item: TrashItemView) => {
    setRestoring(item.id)
    try {
      const { body, operationId } = await restore(item.id)
      const within = insideOf(item, inside)
      const text = within === undefined ? m.restored(item.title) : m.restoredWith(item.title, within)
      drop(item.id)
      announce({
        text,
        way: { label: m.show, go: () => navigate(addressOf(body)) },
        ...(operationId !== undefined && { undo: () => void undo(operationId, text) }),
      })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      setProblems(new Map([...problems, [item.id, sentence(refusal)]]))
    } finally {
      setRestoring(undefined)
    }
  }
  return {
    /** Why things could not come back, by their ids. */
    problems,
    /** The one that is on its way back. */
    restoring,
    bringBack,
    remove: async (item: TrashItemView) => {
      await deleteForGood(item.id)
      drop(item.id)
      announce({ text: m.deletedForGood(item.title) })
    },
    empty: async () => {
      await emptyTrash()
      change(() => [])
      announce({ text: m.emptied })
    },
  }
}
