import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Switch } from '../parts/Checkbox'
import { useDeviceCopy } from '../store/use-store'
import { SettingsLayout } from './SettingsLayout'

const messages = defineMessages({
  en: {
    copy: 'Keep a copy on this device',
    copyHint:
      'The calendar then shows without a network too. The copy is deleted when you sign out. Turn it on only on a device that is yours.',
  },
  de: {
    copy: 'Kopie auf diesem Gerät behalten',
    copyHint:
      'Der Kalender ist dann auch ohne Netz zu sehen. Beim Abmelden wird die Kopie gelöscht. Nur auf einem eigenen Gerät einschalten.',
  },
})

export function DataPage() {
  const m = useMessages(messages)
  const [hasCopy, keepCopy] = useDeviceCopy()
  return (
    <SettingsLayout page="data">
      <Switch label={m.copy} hint={m.copyHint} checked={hasCopy} onChange={(wants) => void keepCopy(wants)} />
    </SettingsLayout>
  )
}
