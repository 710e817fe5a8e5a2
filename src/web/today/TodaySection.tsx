import { type ReactNode, useId } from 'react'

interface TodaySectionProps<T> {
  readonly title: string
  readonly items: readonly T[]
  readonly children: (item: T) => ReactNode
}

/** A list under its heading; nothing where it has no items. */
export function TodaySection<T extends { readonly key: string }>(props: TodaySectionProps<T>) {
  const { title, items, children } = props
  const id = useId()
  if (items.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul aria-labelledby={id}>
        {items.map((item) => (
          <li key={item.key}>{children(item)}</li>
        ))}
      </ul>
    </section>
  )
}
