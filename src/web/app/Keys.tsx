import { Fragment } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'

const messages = defineMessages({
  en: {
    ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift', up: 'Up', down: 'Down', left: 'Left', right: 'Right',
    home: 'Home', end: 'End', delete: 'Del', next: 'then',
  },
  de: {
    ctrl: 'Strg', alt: 'Alt', shift: 'Umschalt', up: 'Oben', down: 'Unten', left: 'Links', right: 'Rechts',
    home: 'Pos1', end: 'Ende', delete: 'Entf', next: 'dann',
  },
}) // prettier-ignore

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys of a shortcut, as they are written on this device's keyboard. */
export function Keys({ keys }: { readonly keys: string }) {
  const m = useMessages(messages)
  return keys.split(' ').map((step, place) => (
    <Fragment key={step}>
      {place > 0 && <span className="shortcut-then">{m.next}</span>}
      {step.split('+').map((key) => (
        <kbd key={key}>{keyName(key, m)}</kbd>
      ))}
    </Fragment>
  ))
}

function keyName(key: string, m: ReturnType<typeof useMessages<(typeof messages)['en']>>): string {
  const names: Readonly<Record<string, string>> = {
    mod: isApple ? '⌘' : m.ctrl,
    alt: isApple ? '⌥' : m.alt,
    shift: m.shift,
    ArrowUp: m.up,
    ArrowDown: m.down,
    ArrowLeft: m.left,
    ArrowRight: m.right,
    Home: m.home,
    End: m.end,
    Delete: m.delete,
  }
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
