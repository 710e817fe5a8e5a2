import { ShortcutList } from '../app/ShortcutList'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Switch } from '../parts/Checkbox'
import { changeDeviceSetting, useDeviceSetting } from './device-settings'
import { SettingsLayout } from './SettingsLayout'

const messages = defineMessages({
  en: {
    single: 'Single-letter shortcuts',
    hint: 'Turn them off if speech input or slips of the hand set them off. Shortcuts with Ctrl, Alt or Command stay on.',
  },
  de: {
    single: 'Tastenkürzel aus einem Buchstaben',
    hint: 'Ausschalten, wenn Spracheingabe oder ein Versehen sie auslöst. Kürzel mit Strg, Alt oder Command bleiben an.',
  },
})

export function ShortcutsPage() {
  const m = useMessages(messages)
  const single = useDeviceSetting('single-letter-shortcuts')
  return (
    <SettingsLayout page="shortcuts">
      <Switch
        label={m.single}
        hint={m.hint}
        checked={single === 'on'}
        onChange={(isOn) => changeDeviceSetting('single-letter-shortcuts', isOn ? 'on' : 'off')}
      />
      <ShortcutList level="h2" />
    </SettingsLayout>
  )
}
