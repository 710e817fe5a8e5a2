import type { DueItem } from './data'

interface DueLineProps {
  readonly due: DueItem
  /** Its place among those that the arrows go through; what has none is a stop of the Tab key. */
  readonly at?: number
  readonly onToggle: (due: DueItem) => void
}

/** A todo or a task in a list of a day. */
export function DueLine({ due, at, onToggle }: DueLineProps) {
  return (
    <label className="due-line" data-done={due.isDone || undefined}>
      <input
        type="checkbox"
        checked={due.isDone}
        tabIndex={at === undefined ? 0 : -1}
        data-key={due.key}
        data-at={at}
        onChange={() => onToggle(due)}
      />
      <span>{due.title}</span>
    </label>
  )
}
