interface DrawnProps {
  readonly text: string
  readonly className?: string
}

/**
 * Text that the eye sees in a cell of the grid and that its style draws. A cell is named by its date alone and a button by all
 * that is known of its event, and what stands in an element as text has to be a part of its name (WCAG 2.5.3).
 */
export function Drawn({ text, className = '' }: DrawnProps) {
  return <span className={`drawn ${className}`} data-text={text} aria-hidden="true" />
}
