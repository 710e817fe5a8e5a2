import { useLanguage, useMessages } from '../messages/language'
import { defineMessages, type Language, LANGUAGES } from '../messages/messages'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { changeDeviceSetting, useDeviceSetting } from './device-settings'
import { SettingsLayout } from './SettingsLayout'

const messages = defineMessages({
  en: {
    device: 'These settings hold on this device.',
    theme: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
  },
  de: {
    device: 'Diese Einstellungen gelten auf diesem Gerät.',
    theme: 'Farbschema',
    system: 'System',
    light: 'Hell',
    dark: 'Dunkel',
    language: 'Sprache',
  },
})

/** A language is named in itself, so that who speaks it finds it. */
const NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  'en-XA': 'Lengthened (for tests)',
  'ar-XB': 'Right to left (for tests)',
}

export function AppearancePage() {
  const m = useMessages(messages)
  const theme = useDeviceSetting('theme')
  const { language, choose } = useLanguage()
  const offered = LANGUAGES.filter((each) => each === 'en' || each === 'de' || each === language)
  return (
    <SettingsLayout page="appearance">
      <p className="settings-lead">{m.device}</p>
      <RadioGroup
        label={m.theme}
        look="segmented"
        value={theme}
        onChange={(value) => changeDeviceSetting('theme', value)}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: m[value] }))}
      />
      <Select
        label={m.language}
        value={language}
        onChange={choose}
        options={offered.map((value) => ({ value, label: NAMES[value] }))}
      />
    </SettingsLayout>
  )
}
