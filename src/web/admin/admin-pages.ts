import { PATTERNS } from '../app/addresses'
import { defineMessages } from '../messages/messages'

/** The pages of the administration, in the order of their list. */
export const ADMIN_PAGES = [
  { name: 'overview', path: PATTERNS.admin },
  { name: 'users', path: PATTERNS.adminUsers },
  { name: 'settings', path: PATTERNS.adminSettings },
  { name: 'audit', path: PATTERNS.adminAudit },
] as const

export type AdminPageName = (typeof ADMIN_PAGES)[number]['name']

export const adminMessages = defineMessages({
  en: {
    administration: 'Administration',
    pages: 'Administration pages',
    overview: 'Overview',
    users: 'Users',
    settings: 'Service settings',
    audit: 'Audit log',
    forbidden: 'Only administrators see this',
    forbiddenHint: 'An administrator can make this account an administrator’s.',
    today: 'Go to Today',
    more: 'Load more',
  },
  de: {
    administration: 'Verwaltung',
    pages: 'Seiten der Verwaltung',
    overview: 'Überblick',
    users: 'Konten',
    settings: 'Einstellungen des Dienstes',
    audit: 'Protokoll',
    forbidden: 'Das ist nur für die Administration',
    forbiddenHint: 'Wer verwaltet, kann dieses Konto zu einem Administrationskonto machen.',
    today: 'Zu „Heute“',
    more: 'Mehr laden',
  },
})
