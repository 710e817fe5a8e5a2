import { useCallback, useEffect, useRef, useState } from 'react'
import { type Refusal, refusalOf } from '../api/refusal'
import { useAnswer } from '../api/use-answer'

interface Paged<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

const NONE = { items: [], next: null }

/**
 * A list that the service gives page by page; another `read` begins anew. What comes with `more` stands below what is there, and its
 * first line has the focus, as the button may be gone.
 */
export function usePages<T>(read: (cursor?: string) => Promise<Paged<T>>) {
  const ask = useCallback(() => read(), [read])
  const first = useAnswer(ask)
  const { value = NONE } = first
  const [added, setAdded] = useState<Paged<T> & { readonly to: unknown }>()
  const loading = useLoading()
  const list = useRef<HTMLUListElement>(null)
  const focusAt = useRef<number>(undefined)
  const more = added?.to === value ? added : undefined
  const { next } = more ?? value
  const items: readonly T[] = [...value.items, ...(more?.items ?? [])]
  useEffect(() => {
    if (focusAt.current !== undefined) focusLine(list.current?.children[focusAt.current])
    focusAt.current = undefined
  }, [added])
  const load = async (cursor: string) => {
    const page = await read(cursor)
    focusAt.current = items.length
    setAdded({ to: value, items: [...(more?.items ?? []), ...page.items], next: page.next })
  }
  return {
    first,
    items,
    more: next === null ? undefined : () => void loading.run(() => load(next)),
    isBusy: loading.isBusy,
    refusal: loading.refusal,
    list,
  }
}

function focusLine(line: Element | undefined): void {
  const target = line?.querySelector<HTMLElement>('a, button') ?? line
  if (target instanceof HTMLElement) target.focus()
}

/** One request at a time, and why the last one was refused. */
function useLoading() {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const run = async (load: () => Promise<void>) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await load()
    } catch (error) {
      const refused = refusalOf(error)
      if (!refused) throw error
      setRefusal(refused)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, refusal, run }
}
