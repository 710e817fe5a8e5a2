import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import type { MenuAction } from '../parts/Menu'
import { announce } from '../parts/messages-store'
import { followed } from '../store/lifecycle'
import { openDialog } from './opened-dialog'
import { placeNames } from './place-names'
import type { MainPlace } from './places'
import { moveBetweenRegions } from './regions'
import { pressed, useShortcuts } from './shortcuts'

const messages = defineMessages({
  en: {
    everywhere: 'Everywhere',
    goTo: 'Go to',
    search: 'Search and commands',
    sheet: 'Keyboard shortcuts',
    undo: 'Undo the last change',
    nothing: 'There is nothing to undo.',
  },
  de: {
    everywhere: 'Überall',
    goTo: 'Gehe zu',
    search: 'Suche und Befehle',
    sheet: 'Tastenkürzel',
    undo: 'Letzte Änderung rückgängig machen',
    nothing: 'Es gibt nichts rückgängig zu machen.',
  },
})

interface FrameKeys {
  readonly places: readonly MainPlace[]
  readonly accountActions: readonly MenuAction[]
  readonly showShortcuts: () => void
}

const openCommands = () => openDialog({ is: 'commands' })

/** The keys that hold on every page, and the ear for those of all pages. */
export function useFrameShortcuts({ places, accountActions, showShortcuts }: FrameKeys): void {
  const m = useMessages(messages)
  const names = useMessages(placeNames)
  const [, navigate] = useLocation()
  useEffect(() => {
    const stop = new AbortController()
    document.addEventListener('keydown', pressed, stop)
    document.addEventListener('keydown', moveBetweenRegions, stop)
    return () => stop.abort()
  }, [])
  const undo = () => {
    if (!followed.read()?.store.undo()) announce({ text: m.nothing })
  }
  const lock = accountActions.find(({ id }) => id === 'lock')
  useShortcuts([
    { keys: 'mod+z', label: m.undo, group: m.everywhere, run: undo },
    { keys: '?', label: m.sheet, group: m.everywhere, run: showShortcuts },
    { keys: '/', label: m.search, group: m.everywhere, isEverywhere: true, run: openCommands },
    { keys: 'mod+k', label: m.search, group: m.everywhere, worksInFields: true, run: openCommands },
    ...places.flatMap(({ name, key, path }) =>
      key === undefined
        ? []
        : [{ keys: `g ${key}`, label: names[name], group: m.goTo, run: () => navigate(path) }],
    ),
    ...(lock ? [{ keys: 'g l', label: lock.label, group: m.everywhere, run: lock.run }] : []),
  ])
}
