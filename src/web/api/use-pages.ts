import { useCallback, useEffect, useRef, useState } from 'react'
import { type Refusal, refusalOf } from './refusal'

/** A page of a list that the service gives in pages. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

interface ReadPages<T> {
  /** All that is read so far; undefined before the first page is there. */
  readonly items?: readonly T[]
  readonly next?: string | null
  readonly refusal?: Refusal
}

/**
 * Reads a list page by page: the first one when the component appears and whenever `read` changes. What is read stays while the
 * next page, or the first one anew, is on its way.
 */
export function usePages<T>(read: (cursor: string | undefined) => Promise<ListPage<T>>) {
  const [pages, setPages] = useState<ReadPages<T>>({})
  const [isBusy, setBusy] = useState(true)
  const current = useRef(0)

  const load = useCallback(
    async (cursor?: string) => {
      const attempt = ++current.current
      setBusy(true)
      try {
        const { items, next } = await read(cursor)
        if (attempt !== current.current) return
        setPages((before) => ({
          items: cursor === undefined ? items : [...(before.items ?? []), ...items],
          next,
        }))
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        if (attempt === current.current) setPages((before) => ({ ...before, refusal }))
      }
      if (attempt === current.current) setBusy(false)
    },
    [read],
  )
  useEffect(() => {
    setPages({})
    void load()
    return () => void current.current++
  }, [load])

  const change = useCallback(
    (changed: (items: readonly T[]) => readonly T[]) =>
      setPages((before) => ({ ...before, items: changed(before.items ?? []) })),
    [],
  )
  const { next, items } = pages
  return {
    ...pages,
    isBusy,
    hasMore: next != null,
    /** Reads on, or what could not be read once more. */
    more: () => void load(items && next != null ? next : undefined),
    /** Reads the list from its beginning. */
    again: () => void load(),
    /** Shows a change of the list that the service knows already. */
    change,
  }
}
