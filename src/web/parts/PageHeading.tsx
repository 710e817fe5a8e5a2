import { useLayoutEffect, useRef } from 'react'

/** The one heading 1 of a page, which also names the document, unless its `place` is called otherwise. */
export function PageHeading(props: {
  readonly children: string
  readonly place?: string
  readonly isHidden?: boolean
}) {
  const { children, place = children, isHidden = false } = props
  const ref = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // A new page takes the focus, but not the first one of a visit, which a person reads from its start; and not from its own fields.
    const hasFocus = ref.current?.closest('main')?.contains(document.activeElement)
    if (navigator.userActivation.hasBeenActive && !hasFocus) ref.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <title>{`${place} – Organiser`}</title>
      <h1 ref={ref} tabIndex={-1} className={isHidden ? 'visually-hidden' : undefined}>
        {children}
      </h1>
    </>
  )
}
