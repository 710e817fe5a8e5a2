import { useState } from 'react'
import type { NewTokenView, TokenView } from '../../features/identity/tokens/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { SettingsLayout } from '../settings/SettingsLayout'
import { Answered } from './Answered'
import { readTokens } from './data'
import { NewSecret } from './NewSecret'
import { NewTokenDialog } from './NewTokenDialog'
import type { TokenKind } from './token-scopes'
import { TokenLine } from './TokenLine'
import { useKeptFocus } from './use-kept-focus'

const messages = defineMessages({
  en: {
    title: 'App passwords and access tokens',
    lead: 'An app password lets a phone or a calendar program sync, an access token lets a script use the API. Each opens only what you choose, and ends without the others.',
    app: 'New app password',
    token: 'New access token',
    list: 'Existing',
    none: 'There is none yet. Make one for each device, so that a lost one can be ended alone.',
  },
  de: {
    title: 'App-Passwörter und Zugriffstoken',
    lead: 'Mit einem App-Passwort gleicht ein Telefon oder Kalenderprogramm ab, mit einem Zugriffstoken nutzt ein Skript die API. Jedes öffnet nur, was gewählt ist, und endet für sich allein.',
    app: 'Neues App-Passwort',
    token: 'Neues Zugriffstoken',
    list: 'Vorhanden',
    none: 'Noch nichts. Am besten eines für jedes Gerät, damit ein verlorenes sich allein beenden lässt.',
  },
})

/** What opens the account to programs; a new one is shown once, above the list (contract: web.secrets). */
export function TokensPage() {
  const m = useMessages(messages)
  const asked = useAnswer(readTokens)
  const heading = useKeptFocus(asked.value)
  const [made, setMade] = useState<NewTokenView>()
  const show = (token: NewTokenView) => {
    setMade(token)
    asked.again()
  }
  const hide = () => {
    setMade(undefined)
    heading.current?.focus()
  }
  const forget = (id: number) => {
    if (made?.id === id) setMade(undefined)
    asked.again()
  }
  return (
    <SettingsLayout page="security" heading={m.title}>
      <p className="settings-lead">{m.lead}</p>
      {made ? <NewSecret key={made.id} made={made} onDone={hide} /> : <Creation onMade={show} />}
      <section aria-labelledby="tokens-title">
        <h2 id="tokens-title" ref={heading} tabIndex={-1}>
          {m.list}
        </h2>
        <Answered asked={asked}>{(tokens) => <TokenList tokens={tokens} onRevoked={forget} />}</Answered>
      </section>
    </SettingsLayout>
  )
}

function Creation({ onMade }: { readonly onMade: (made: NewTokenView) => void }) {
  const m = useMessages(messages)
  const [making, make] = useState<TokenKind>()
  return (
    <div className="actions">
      <Button kind="primary" onClick={() => make('app')}>
        {m.app}
      </Button>
      <Button onClick={() => make('token')}>{m.token}</Button>
      {making && <NewTokenDialog kind={making} onMade={onMade} onClose={() => make(undefined)} />}
    </div>
  )
}

interface TokenListProps {
  readonly tokens: readonly TokenView[]
  readonly onRevoked: (id: number) => void
}

function TokenList({ tokens, onRevoked }: TokenListProps) {
  const m = useMessages(messages)
  if (tokens.length === 0) return <p>{m.none}</p>
  return (
    <ul className="fact-lines" aria-labelledby="tokens-title">
      {tokens.map((token) => (
        <TokenLine key={token.id} token={token} onRevoked={() => onRevoked(token.id)} />
      ))}
    </ul>
  )
}
