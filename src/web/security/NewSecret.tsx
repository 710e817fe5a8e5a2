import { type ReactNode, useEffect, useRef } from 'react'
import type { NewTokenView } from '../../features/identity/tokens/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { useSignedIn } from '../session/use-session'
import { AssistantAccess } from './AssistantAccess'
import { ToCopy } from './ToCopy'
import { kindOf } from './token-scopes'
import { usePageLeft } from './use-page-left'
import { WhereToType } from './WhereToType'

const messages = defineMessages({
  en: {
    app: (name: string) => `App password for ${name}`,
    assistant: (name: string) => `Access for ${name}`,
    token: (name: string) => `Access token for ${name}`,
    once: 'It is shown only now. Whoever has it has what it opens.',
    address: 'Address',
    user: 'User name',
    password: 'App password',
    secret: 'Access token',
    use: 'Programs send it with each request:',
    theAddress: 'the address',
    theUser: 'the user name',
    thePassword: 'the app password',
    theSecret: 'the access token',
    typing: 'When you type it, spaces, hyphens and capitals do not matter.',
    insecure: 'Most phones want an address with https. The deployment guide of the service says how.',
    done: 'Done',
  },
  de: {
    app: (name) => `App-Passwort für ${name}`,
    assistant: (name) => `Zugang für ${name}`,
    token: (name) => `Zugriffstoken für ${name}`,
    once: 'Es wird nur jetzt gezeigt. Wer es hat, hat auch, was es öffnet.',
    address: 'Adresse',
    user: 'Benutzername',
    password: 'App-Passwort',
    secret: 'Zugriffstoken',
    use: 'Programme senden es mit jeder Anfrage:',
    theAddress: 'Adresse',
    theUser: 'Benutzernamen',
    thePassword: 'App-Passwort',
    theSecret: 'Zugriffstoken',
    typing: 'Beim Eintippen zählen Leerzeichen, Bindestriche und Großbuchstaben nicht.',
    insecure:
      'Die meisten Telefone wollen eine Adresse mit https. Wie das geht, steht in der Anleitung zum Betrieb.',
    done: 'Fertig',
  },
})

interface NewSecretProps {
  readonly made: NewTokenView
  readonly onDone: () => void
}

/** The only time that a new token shows: what has to be typed where. It takes the focus (contract: web.secrets). */
export function NewSecret({ made, onDone }: NewSecretProps) {
  const m = useMessages(messages)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  usePageLeft(onDone)
  const { dav_url: address } = made
  const kind = kindOf(made)
  return (
    <section className="new-secret" aria-labelledby="secret-title">
      <h2 id="secret-title" ref={heading} tabIndex={-1}>
        {m[kind](made.name)}
      </h2>
      <p>{m.once}</p>
      {kind === 'assistant' && <AssistantAccess made={made} />}
      {kind === 'token' && <TokenToCopy made={made} />}
      {address !== undefined && <ToType made={made} address={address} />}
      <Button kind="primary" onClick={onDone}>
        {m.done}
      </Button>
    </section>
  )
}

function TokenToCopy({ made }: Pick<NewSecretProps, 'made'>) {
  const m = useMessages(messages)
  return (
    <>
      <dl className="to-type">
        <ToCopy label={m.secret} what={m.theSecret} text={made.token} />
      </dl>
      <p className="settings-lead">
        {m.use} <code>Authorization: Bearer org_…</code>
      </p>
    </>
  )
}

interface ToTypeProps extends Pick<NewSecretProps, 'made'> {
  readonly address: string
}

function ToType({ made, address }: ToTypeProps) {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  return (
    <>
      <dl className="to-type">
        <ToCopy label={m.address} what={m.theAddress} text={address} />
        <ToCopy label={m.user} what={m.theUser} text={user.username} />
        <ToCopy label={m.password} what={m.thePassword} text={made.token}>
          {inFours(made.token)}
        </ToCopy>
      </dl>
      <p className="settings-lead">{m.typing}</p>
      {address.startsWith('http:') && <p className="settings-lead">{m.insecure}</p>}
      <WhereToType address={address} scopes={made.scopes} />
    </>
  )
}

/** Groups that are easy to type, without a space between them that would be copied. */
const inFours = (secret: string): ReactNode =>
  (secret.match(/.{1,4}/g) ?? []).map((group, place) => (
    <span key={`${place} ${group}`} className="secret-group">
      {group}
    </span>
  ))
