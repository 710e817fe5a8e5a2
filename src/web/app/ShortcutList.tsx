import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useDeviceSetting } from '../settings/device-settings'
import { Keys } from './Keys'
import { isSingleCharacter, type Shortcut, useAllShortcuts } from './shortcuts'

const messages = defineMessages({ en: { off: 'off' }, de: { off: 'aus' } })

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
        <Keys keys={shortcut.keys} />
        {isOff && <span className="shortcut-then">{m.off}</span>}
      </dd>
    </div>
  )
}
