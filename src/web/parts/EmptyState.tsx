import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon'

interface EmptyStateProps {
  readonly icon: IconName
  /** Says that there is nothing, in a few words. */
  readonly title: string
  /** The first step: a sentence, a button. */
  readonly children?: ReactNode
}

/** Stands where a list has nothing in it; never where the list could not be read. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
