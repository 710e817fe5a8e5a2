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

interface Loading {
  readonly cursor?: string | undefined
  /** Whether what is read is not what was read before. */
  readonly isOther?: boolean
}

/**
 * Reads a list page by page: the first one when the component appears and whenever `read` changes. What is read stays while the
 * next page, or the first one anew, is on its way; of another `read` nothing stays when it is refused.
 */
export function usePages<T>(read: (cursor: string | undefined) => Promise<ListPage<T>>) {
  const [pages, setPages] = useState<ReadPages<T>>({})
  const [isBusy, setBusy] = useState(true)
  const current = useRef(0)

  const load = useCallback(
    async ({ cursor, isOther = false }: Loading) => {
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
        if (attempt === current.current)
          setPages((before) => (isOther ? { refusal } : { ...before, refusal }))
      }
      if (attempt === current.current) setBusy(false)
    },
    [read],
  )
  useEffect(() => {
    void load({ isOther: true })
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
    more: () => void load({ cursor: items && next != null ? next : undefined }),
    /** Shows a change of the list that the service knows already. */
    change,
  }
}
