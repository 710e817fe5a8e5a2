interface DrawnProps {
  readonly text: string
  readonly className?: string
  /** Whether the browser's own search finds it. */
  readonly isFound?: boolean
}

/**
 * Text that the eye sees in a cell of the grid and that its style draws. A cell is named by its date alone and a button by all
 * that is known of its event, and what stands in an element as text has to be a part of its name (WCAG 2.5.3). What people search
 * for stands in it as hidden text, which the browser shows in the place of the drawn one once it is found.
 */
export function Drawn({ text, className = '', isFound = false }: DrawnProps) {
  return (
    <span className={`drawn ${className}`} data-text={text} aria-hidden="true">
      {isFound && (
        <span className="drawn-found" ref={hideUntilFound}>
          {text}
        </span>
      )}
    </span>
  )
}

/** React knows the attribute without this value. A browser that does not know it either takes the text away. */
const hideUntilFound = (element: HTMLElement | null) => element?.setAttribute('hidden', 'until-found')
