import { PATTERNS } from '../app/addresses'
import { defineMessages } from '../messages/messages'

/** The pages of the settings, in the order of their list. */
export const SETTINGS_PAGES = [
  { name: 'profile', path: PATTERNS.settingsProfile },
  { name: 'calendar', path: PATTERNS.settingsTimes },
  { name: 'calendars', path: PATTERNS.settingsCalendars },
  { name: 'sharing', path: PATTERNS.settingsSharing },
  { name: 'push', path: PATTERNS.settingsPush },
  { name: 'appearance', path: PATTERNS.settingsAppearance },
  { name: 'shortcuts', path: PATTERNS.settingsShortcuts },
  { name: 'security', path: PATTERNS.settingsSecurity },
  { name: 'sessions', path: PATTERNS.settingsSessions },
  { name: 'assistants', path: PATTERNS.settingsAssistants },
  { name: 'data', path: PATTERNS.settingsData },
  { name: 'account', path: PATTERNS.settingsAccount },
] as const

export type SettingsPageName = (typeof SETTINGS_PAGES)[number]['name']

export const settingsMessages = defineMessages({
  en: {
    settings: 'Settings',
    pages: 'Settings pages',
    profile: 'Profile',
    calendar: 'Time and calendar',
    calendars: 'Calendars',
    sharing: 'Sharing',
    push: 'Push messages',
    appearance: 'Appearance',
    shortcuts: 'Shortcuts',
    security: 'Security',
    sessions: 'Sessions',
    assistants: 'Assistants',
    data: 'Data',
    account: 'Account',
  },
  de: {
    settings: 'Einstellungen',
    pages: 'Seiten der Einstellungen',
    profile: 'Profil',
    calendar: 'Zeit und Kalender',
    calendars: 'Kalender',
    sharing: 'Freigaben',
    push: 'Push-Nachrichten',
    appearance: 'Darstellung',
    shortcuts: 'Tastenkürzel',
    security: 'Sicherheit',
    sessions: 'Sitzungen',
    assistants: 'Assistenten',
    data: 'Daten',
    account: 'Konto',
  },
})
