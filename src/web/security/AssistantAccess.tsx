import type { NewTokenView } from '../../features/identity/tokens/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { ToCopy } from './ToCopy'

const messages = defineMessages({
  en: {
    address: 'Address',
    secret: 'Access token',
    settings: 'As settings',
    theAddress: 'the address',
    theSecret: 'the access token',
    theSettings: 'the settings',
    how: 'Many assistants ask for the address and for a header with the token. Others keep their servers in a file of settings, such as mcp.json, and take this:',
  },
  de: {
    address: 'Adresse',
    secret: 'Zugriffstoken',
    settings: 'Als Einstellung',
    theAddress: 'Adresse',
    theSecret: 'Zugriffstoken',
    theSettings: 'Einstellung',
    how: 'Viele Assistenten fragen nach der Adresse und nach einem Header mit dem Token. Andere führen ihre Server in einer Datei wie mcp.json und nehmen dies:',
  },
})

/** Where assistants are answered. */
export const assistantAddress = (): string => `${location.origin}/mcp`

/** What an assistant is given, once (section 29 of the contract). */
export function AssistantAccess({ made }: { readonly made: NewTokenView }) {
  const m = useMessages(messages)
  const url = assistantAddress()
  const headers = { Authorization: `Bearer ${made.token}` }
  const settings = JSON.stringify({ mcpServers: { organiser: { type: 'http', url, headers } } }, null, 2)
  return (
    <>
      <dl className="to-type">
        <ToCopy label={m.address} what={m.theAddress} text={url} />
        <ToCopy label={m.secret} what={m.theSecret} text={made.token} />
      </dl>
      <p className="settings-lead">{m.how}</p>
      <dl className="to-type">
        <ToCopy label={m.settings} what={m.theSettings} text={settings} />
      </dl>
    </>
  )
}
