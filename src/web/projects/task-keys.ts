import type { KeyboardEvent } from 'react'
import { isLineKey } from '../parts/line-keys'

interface TaskKeys {
  readonly open: () => void
  readonly remove: () => void
}

/** The keys of a task in a list and on the board; a link opens itself by Enter. */
export function pressedOnTask(event: KeyboardEvent, keys: TaskKeys): void {
  if (!isLineKey(event)) return
  const { key, target } = event
  const isBox = target instanceof HTMLInputElement
  if (key === 'Delete') keys.remove()
  else if (key === 'e' || (key === 'Enter' && isBox)) keys.open()
}
