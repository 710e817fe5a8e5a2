import { useEffect, useRef, useSyncExternalStore } from 'react'
import { topmostDialog } from '../parts/open-dialogs'
import { readDeviceSetting } from '../settings/device-settings'

/** A key, or several, that do something wherever the focus is (contract: web.shortcuts). */
export interface Shortcut {
  /** As `c`, `?`, `g l` (one after the other), `mod+z` (Ctrl, on Apple's keyboards Command) or `alt+ArrowUp`. */
  readonly keys: string
  /** What it does, for the sheet. */
  readonly label: string
  /** The heading under which the sheet lists it. */
  readonly group: string
  /** Also while somebody types in a field; for keys with `mod` alone. */
  readonly worksInFields?: boolean
  /** Whether another one with the same keys goes before it: what holds on every page, before what a page says. */
  readonly isEverywhere?: boolean
  /** Without it, the element that has the focus hears the keys itself, and the sheet alone lists them. */
  readonly run?: () => void
}

/** Two keys of a sequence are this close. */
const SEQUENCE_MS = 1500
const SILENT_IN = 'select, [role="menu"], [role="listbox"], [role="combobox"], dialog, [role="dialog"]'
const NO_TEXT = ['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file']

let registered: ReadonlyArray<readonly Shortcut[]> = []
const listeners = new Set<() => void>()

function change(next: ReadonlyArray<readonly Shortcut[]>): void {
  registered = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** All shortcuts that hold now, for the sheet. */
export function useAllShortcuts(): readonly Shortcut[] {
  const all = useSyncExternalStore(subscribe, () => registered).flat()
  return all.filter((shortcut) => chosen(all, shortcut.keys) === shortcut)
}

/** Of several with the same keys: the page's own, and of these the one that came last. */
function chosen(shortcuts: readonly Shortcut[], wanted: string): Shortcut | undefined {
  const alike = shortcuts.filter(({ keys }) => keys === wanted)
  return alike.findLast(({ isEverywhere }) => !isEverywhere) ?? alike.at(-1)
}

/** The shortcuts hold as long as the component is shown. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  const shape = shortcuts.map(({ keys, label }) => `${keys}=${label}`).join('\n')
  useEffect(() => {
    const held = latest.current.map((shortcut, place) => ({
      ...shortcut,
      ...(shortcut.run && { run: () => latest.current[place]?.run?.() }),
    }))
    change([...registered, held])
    return () => change(registered.filter((each) => each !== held))
  }, [shape])
}

let begun: { readonly keys: string; readonly at: number } | undefined

/** Runs what the key stands for. The frame listens with it on the document. */
export function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || topmostDialog.read()) return
  const name = nameOf(event)
  if (name === undefined) return
  const keys = inSequence(name, event)
  const now = registered.flat().filter((shortcut) => allows(shortcut, event.target))
  begun = undefined
  const found = chosen(now, keys)
  if (found) {
    event.preventDefault()
    found.run?.()
  } else if (now.some((shortcut) => shortcut.keys.startsWith(`${keys} `))) {
    begun = { keys, at: event.timeStamp }
  }
}

function inSequence(name: string, { timeStamp }: KeyboardEvent): string {
  const isSequel = begun !== undefined && timeStamp - begun.at < SEQUENCE_MS
  return isSequel ? `${begun?.keys} ${name}` : name
}

const MODIFIERS = new Set(['Control', 'Meta', 'Alt', 'Shift', 'AltGraph', 'CapsLock'])

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (MODIFIERS.has(key)) return undefined
  const isMod = ctrlKey || metaKey
  const prefix = [isMod && 'mod+', altKey && 'alt+'].filter(Boolean).join('')
  // Which characters need Shift is the keyboard's business; with Caps Lock on, letters are capitals without it.
  if (key.length === 1 && !isMod) return prefix + (shiftKey ? key : key.toLowerCase())
  return `${prefix}${shiftKey ? 'shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`
}

function allows({ keys, run, worksInFields = false }: Shortcut, target: EventTarget | null): boolean {
  if (!run) return false
  if (isSingleCharacter(keys) && readDeviceSetting('single-letter-shortcuts') === 'off') return false
  if (!(target instanceof Element)) return true
  return (worksInFields || !takesText(target)) && target.closest(SILENT_IN) === null
}

/** Keys that speech input or a slip can press (WCAG 2.2, success criterion 2.1.4). */
export const isSingleCharacter = (keys: string): boolean => keys.split(' ').every((key) => key.length === 1)

function takesText(target: Element): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.includes(target.type)
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
}
