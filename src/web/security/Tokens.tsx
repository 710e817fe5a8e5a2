import { useState } from 'react'
import type { NewTokenView, TokenView } from '../../features/identity/tokens/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Answered } from './Answered'
import { readTokens } from './data'
import { NewSecret } from './NewSecret'
import { NewTokenDialog } from './NewTokenDialog'
import { kindOf, type TokenKind } from './token-scopes'
import { TokenLine } from './TokenLine'
import { useKeptFocus } from './use-kept-focus'

const messages = defineMessages({
  en: {
    app: 'New app password',
    assistant: 'New access for an assistant',
    token: 'New access token',
    list: 'Existing',
  },
  de: {
    app: 'Neues App-Passwort',
    assistant: 'Neuer Zugang für einen Assistenten',
    token: 'Neues Zugriffstoken',
    list: 'Vorhanden',
  },
})

interface TokensProps {
  /** The kinds that are made here, the usual one first. */
  readonly makes: readonly TokenKind[]
  /** The kind that is listed; all if absent. */
  readonly only?: TokenKind
  /** Said where there is none. */
  readonly none: string
}

/** Tokens that exist, and the making of new ones: a new one is shown once, above the list (contract: web.secrets). */
export function Tokens({ makes, only, none }: TokensProps) {
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
    <>
      {made ? (
        <NewSecret key={made.id} made={made} onDone={hide} />
      ) : (
        <Creation makes={makes} onMade={show} />
      )}
      <section aria-labelledby="tokens-title">
        <h2 id="tokens-title" ref={heading} tabIndex={-1}>
          {m.list}
        </h2>
        <Answered asked={asked}>
          {(tokens) => {
            const listed = tokens.filter((token) => only === undefined || kindOf(token) === only)
            return listed.length === 0 ? <p>{none}</p> : <TokenList tokens={listed} onRevoked={forget} />
          }}
        </Answered>
      </section>
    </>
  )
}

interface CreationProps extends Pick<TokensProps, 'makes'> {
  readonly onMade: (made: NewTokenView) => void
}

function Creation({ makes, onMade }: CreationProps) {
  const m = useMessages(messages)
  const [making, make] = useState<TokenKind>()
  return (
    <div className="actions">
      {makes.map((kind, place) => (
        <Button key={kind} kind={place === 0 ? 'primary' : 'secondary'} onClick={() => make(kind)}>
          {m[kind]}
        </Button>
      ))}
      {making && <NewTokenDialog kind={making} onMade={onMade} onClose={() => make(undefined)} />}
    </div>
  )
}

interface TokenListProps {
  readonly tokens: readonly TokenView[]
  readonly onRevoked: (id: number) => void
}

const TokenList = ({ tokens, onRevoked }: TokenListProps) => (
  <ul className="fact-lines" aria-labelledby="tokens-title">
    {tokens.map((token) => (
      <TokenLine key={token.id} token={token} onRevoked={() => onRevoked(token.id)} />
    ))}
  </ul>
)
