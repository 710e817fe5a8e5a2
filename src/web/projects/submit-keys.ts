import type { KeyboardEvent } from 'react'

/** Ctrl or Command with Enter sends, as Enter alone begins a line. */
export function submitOnModEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
