import type { ReactNode } from 'react'

interface EnterCardProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
  /** Links and buttons to elsewhere, below the card. */
  readonly foot?: ReactNode
}

/** The frame of every page on the way in: the product's name, one heading, one form. */
export function EnterCard({ title, lead, children, foot }: EnterCardProps) {
  return (
    <main className="enter">
      <title>{`${title} – Organiser`}</title>
      <div className="enter-card">
        <p className="enter-brand">
          <img src="/icons/icon.svg" alt="" width="28" height="28" />
          Organiser
        </p>
        <h1>{title}</h1>
        {lead !== undefined && <p className="enter-lead">{lead}</p>}
        {children}
        {foot !== undefined && <div className="enter-foot">{foot}</div>}
      </div>
    </main>
  )
}
