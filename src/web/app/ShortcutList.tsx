import { Fragment } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useDeviceSetting } from '../settings/device-settings'
import { isSingleCharacter, type Shortcut, useAllShortcuts } from './shortcuts'

const messages = defineMessages({
  en: {
    ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift', up: 'Up', down: 'Down', left: 'Left', right: 'Right',
    next: 'then', off: 'off',
  },
  de: {
    ctrl: 'Strg', alt: 'Alt', shift: 'Umschalt', up: 'Oben', down: 'Unten', left: 'Links', right: 'Rechts',
    next: 'dann', off: 'aus',
  },
}) // prettier-ignore

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** All shortcuts that hold now, by group. */
export function ShortcutList({ level: Heading }: { readonly level: 'h2' | 'h3' }) {
  const all = useAllShortcuts()
  const groups = Map.groupBy(all, ({ group }) => group)
  return (
    <div className="shortcut-groups">
      {[...groups].map(([group, shortcuts]) => (
        <section key={group}>
          <Heading>{group}</Heading>
          <dl className="shortcut-list">
            {shortcuts.map((shortcut) => (
              <ShortcutLine key={shortcut.keys} shortcut={shortcut} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

function ShortcutLine({ shortcut }: { readonly shortcut: Shortcut }) {
  const m = useMessages(messages)
  const single = useDeviceSetting('single-letter-shortcuts')
  const isOff = single === 'off' && isSingleCharacter(shortcut.keys)
  return (
    <div className="shortcut" data-off={isOff || undefined}>
      <dt>{shortcut.label}</dt>
      <dd>
        {shortcut.keys.split(' ').map((keys, place) => (
          <Fragment key={keys}>
            {place > 0 && <span className="shortcut-then">{m.next}</span>}
            {keys.split('+').map((key) => (
              <kbd key={key}>{keyName(key, m)}</kbd>
            ))}
          </Fragment>
        ))}
        {isOff && <span className="shortcut-then">{m.off}</span>}
      </dd>
    </div>
  )
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
  }
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
