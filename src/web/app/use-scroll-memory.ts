import { useEffect, useLayoutEffect } from 'react'

const remembered = new Map<string, number>()

/** Undefined in browsers without the Navigation API, which keep scrolling by themselves as well as they can. */
const entryKey = (): string | undefined => globalThis.navigation?.currentEntry?.key

let isTraversal = false

/** Back and Forward find a page where it was left; every other page begins at its top. */
export function useScrollMemory(pathname: string): void {
  useEffect(() => {
    if (entryKey() === undefined) return
    history.scrollRestoration = 'manual'
    const remember = () => {
      const key = entryKey()
      if (key !== undefined) remembered.set(key, scrollY)
    }
    // It comes before the router hears of the step, which `popstate` does not.
    const noteTraversal = ({ navigationType }: NavigateEvent) => {
      isTraversal = navigationType === 'traverse'
    }
    addEventListener('scroll', remember, { passive: true })
    navigation.addEventListener('navigate', noteTraversal)
    return () => {
      removeEventListener('scroll', remember)
      navigation.removeEventListener('navigate', noteTraversal)
    }
  }, [])
  useLayoutEffect(() => {
    const key = entryKey()
    if (key === undefined) return
    const top = isTraversal ? (remembered.get(key) ?? 0) : 0
    isTraversal = false
    return scrollWhenTall(top)
  }, [pathname])
}

/** The lines of a page may still be on their way; the first touch, turn of the wheel or key says that a person goes elsewhere. */
function scrollWhenTall(top: number): () => void {
  const stop = new AbortController()
  const observer = new ResizeObserver(() => {
    scrollTo({ top, behavior: 'instant' })
    if (scrollY >= top - 1) stop.abort()
  })
  stop.signal.addEventListener('abort', () => observer.disconnect())
  for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(type, () => stop.abort(), { signal: stop.signal, passive: true })
  observer.observe(document.body)
  return () => stop.abort()
}
