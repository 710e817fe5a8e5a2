import type { ReactNode } from 'react'

/**
 * Says what changed without moving the focus. It must stand in the page before its text does, or a screen reader misses it.
 * `isVisible` shows it to everybody.
 */
export function Status(props: {
  readonly children: ReactNode
  readonly label?: string
  readonly isVisible?: boolean
}) {
  const { children, label, isVisible = false } = props
  return (
    <p role="status" aria-label={label} className={isVisible ? 'status' : 'visually-hidden'}>
      {children}
    </p>
  )
}
