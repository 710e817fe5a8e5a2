import { isSingleCharacter, type Shortcut, useShortcuts } from '../app/shortcuts'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { readDeviceSetting } from '../settings/device-settings'

const messages = defineMessages({
  en: {
    group: 'In a list',
    ArrowUp: 'Previous line',
    ArrowDown: 'Next line',
    Home: 'First line',
    End: 'Last line',
    'alt+ArrowUp': 'Move up',
    'alt+ArrowDown': 'Move down',
    'alt+ArrowLeft': 'To the column on the left',
    'alt+ArrowRight': 'To the column on the right',
    e: 'Edit',
    Delete: 'Delete',
  },
  de: {
    group: 'In einer Liste',
    ArrowUp: 'Vorige Zeile',
    ArrowDown: 'Nächste Zeile',
    Home: 'Erste Zeile',
    End: 'Letzte Zeile',
    'alt+ArrowUp': 'Nach oben verschieben',
    'alt+ArrowDown': 'Nach unten verschieben',
    'alt+ArrowLeft': 'In die Spalte links',
    'alt+ArrowRight': 'In die Spalte rechts',
    e: 'Bearbeiten',
    Delete: 'Löschen',
  },
})

type LineKey = Exclude<keyof (typeof messages)['en'], 'group'>

/** Puts keys that a list hears itself on the sheet of shortcuts. */
export function useListedKeys(keys: readonly LineKey[]): void {
  const m = useMessages(messages)
  useShortcuts(keys.map((key): Shortcut => ({ keys: key, label: m[key], group: m.group })))
}

interface Pressed {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** Whether a key pressed in a line may do something with it: letters can be turned off (contract: web.shortcuts). */
export const isLineKey = ({ key, altKey, ctrlKey, metaKey }: Pressed): boolean =>
  !altKey &&
  !ctrlKey &&
  !metaKey &&
  (!isSingleCharacter(key) || readDeviceSetting('single-letter-shortcuts') !== 'off')
