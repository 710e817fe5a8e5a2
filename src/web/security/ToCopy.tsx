import type { ReactNode } from 'react'
import { CopyButton } from '../parts/CopyButton'

interface ToCopyProps {
  readonly label: string
  readonly what: string
  readonly text: string
  /** How it is written, if not as it is. */
  readonly children?: ReactNode
}

/** One thing to type or to copy, with its name. */
export function ToCopy({ label, what, text, children = text }: ToCopyProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="secret">
        <code translate="no">{children}</code>
        <CopyButton text={text} what={what} />
      </dd>
    </div>
  )
}
