import type { KeyboardEvent } from 'react'

interface TaskKeys {
  readonly open: () => void
  readonly remove: () => void
}

/** The keys of a task in a list and on the board; a link opens itself by Enter. */
export function pressedOnTask(
  { key, target, altKey, ctrlKey, metaKey }: KeyboardEvent,
  keys: TaskKeys,
): void {
  if (altKey || ctrlKey || metaKey) return
  const isBox = target instanceof HTMLInputElement
  if (key === 'Delete') keys.remove()
  else if (key === 'e' || (key === 'Enter' && isBox)) keys.open()
}
