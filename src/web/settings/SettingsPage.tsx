import { useMessages } from '../messages/language'
import { PageHeading } from '../parts/PageHeading'
import { settingsMessages } from './settings-pages'
import { SettingsLinks } from './SettingsLayout'

/** The list of all pages of the settings. */
export function SettingsPage() {
  const m = useMessages(settingsMessages)
  return (
    <div className="settings-page">
      <PageHeading>{m.settings}</PageHeading>
      <SettingsLinks />
    </div>
  )
}
