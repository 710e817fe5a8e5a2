import { PATTERNS } from '../app/addresses'
import { defineMessages } from '../messages/messages'

/** The pages of the settings, in the order of their list. */
export const SETTINGS_PAGES = [
  { name: 'calendars', path: PATTERNS.settingsCalendars },
  { name: 'appearance', path: PATTERNS.settingsAppearance },
  { name: 'shortcuts', path: PATTERNS.settingsShortcuts },
  { name: 'security', path: PATTERNS.settingsSecurity },
  { name: 'sessions', path: PATTERNS.settingsSessions },
  { name: 'data', path: PATTERNS.settingsData },
] as const

export type SettingsPageName = (typeof SETTINGS_PAGES)[number]['name']

export const settingsMessages = defineMessages({
  en: {
    settings: 'Settings',
    pages: 'Settings pages',
    calendars: 'Calendars',
    appearance: 'Appearance',
    shortcuts: 'Shortcuts',
    security: 'Security',
    sessions: 'Sessions',
    data: 'Data',
  },
  de: {
    settings: 'Einstellungen',
    pages: 'Seiten der Einstellungen',
    calendars: 'Kalender',
    appearance: 'Darstellung',
    shortcuts: 'Tastenkürzel',
    security: 'Sicherheit',
    sessions: 'Sitzungen',
    data: 'Daten',
  },
})
