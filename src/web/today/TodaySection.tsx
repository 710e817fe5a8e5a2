import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'

const messages = defineMessages({
  en: { all: (count: number) => `Show all ${count}` },
  de: { all: (count: number) => `Alle ${count} anzeigen` },
})

/** A day is short: what exceeds this is shown when somebody asks for it. */
const SHOWN = 10

interface TodaySectionProps<T> {
  readonly title: string
  readonly items: readonly T[]
  readonly children: (item: T) => ReactNode
}

/** A list under its heading, its first ten items until all are asked for; nothing where it has no items. */
export function TodaySection<T extends { readonly key: string }>(props: TodaySectionProps<T>) {
  const { title, items, children } = props
  const m = useMessages(messages)
  const id = useId()
  const { list, isWhole, showAll } = useShowingAll()
  if (items.length === 0) return null
  const shown = isWhole ? items : items.slice(0, SHOWN)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul aria-labelledby={id} ref={list}>
        {shown.map((item) => (
          <li key={item.key}>{children(item)}</li>
        ))}
      </ul>
      {shown.length < items.length && (
        <Button kind="quiet" onClick={showAll}>
          {m.all(items.length)}
        </Button>
      )}
    </section>
  )
}

/** The button goes when it is pressed: the focus goes on to the first line that it brought. */
function useShowingAll() {
  const list = useRef<HTMLUListElement>(null)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (!isWhole) return
    const control = 'a, button, input'
    list.current?.children[SHOWN]?.querySelector<HTMLElement>(control)?.focus()
  }, [isWhole])
  return { list, isWhole, showAll: () => setWhole(true) }
}
