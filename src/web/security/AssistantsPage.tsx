import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { SettingsLayout } from '../settings/SettingsLayout'
import { assistantAddress } from './AssistantAccess'
import { Tokens } from './Tokens'

const messages = defineMessages({
  en: {
    lead: 'An assistant that speaks the Model Context Protocol (MCP) can look at your days, plan and write for you. It gets an access of its own, never your password, and sees only what that opens.',
    asks: 'It asks before it deletes, before it changes many things at once, a series or a shared calendar. What it changed can be undone like your own changes.',
    changes: 'Recent changes',
    address: 'Assistants reach this service at',
    none: 'No assistant is let in.',
  },
  de: {
    lead: 'Ein Assistent, der das Model Context Protocol (MCP) spricht, kann Tage ansehen, planen und eintragen. Er bekommt einen eigenen Zugang, nie das Passwort, und sieht nur, was dieser öffnet.',
    asks: 'Er fragt, bevor er löscht, vieles auf einmal, eine Serie oder einen geteilten Kalender ändert. Was er geändert hat, lässt sich rückgängig machen wie jede Änderung.',
    changes: 'Letzte Änderungen',
    address: 'Assistenten erreichen diesen Dienst unter',
    none: 'Kein Assistent hat Zugang.',
  },
})

const MADE = ['assistant'] as const

/** How an assistant is let in, and which ones are (section 29 of the contract). */
export function AssistantsPage() {
  const m = useMessages(messages)
  return (
    <SettingsLayout page="assistants">
      <p className="settings-lead">{m.lead}</p>
      <p className="settings-lead">
        {m.asks} <Link href={PATTERNS.recentChanges}>{m.changes}</Link>
      </p>
      <p className="settings-lead">
        {m.address} <code translate="no">{assistantAddress()}</code>
      </p>
      <Tokens makes={MADE} only="assistant" none={m.none} />
    </SettingsLayout>
  )
}
