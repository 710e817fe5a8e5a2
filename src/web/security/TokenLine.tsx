import { useState } from 'react'
import type { TokenView } from '../../features/identity/tokens/model'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { now } from '../time/now'
import { useWritten } from '../time/use-written'
import { FormDialog } from '../parts/FormDialog'
import { revokeToken } from './data'
import { factLine } from './fact-line'
import { kindOf, scopeMessages, useScopeWords } from './token-scopes'

const messages = defineMessages({
  en: {
    used: (at: string) => `Last used ${at}`,
    usedFrom: (at: string, address: string) => `Last used ${at} from ${address}`,
    unused: 'Not used yet',
    made: (date: string) => `made ${date}`,
    ends: (date: string) => `expires ${date}`,
    endless: 'never expires',
    ended: (date: string) => `expired ${date}`,
    revoke: 'Revoke',
    revokeNamed: (name: string) => `Revoke ${name}`,
    app: (name: string) =>
      `The device that uses “${name}” no longer syncs, from this moment on. What it has stays on it. Another app password has to be typed there.`,
    assistant: (name: string) =>
      `The assistant that uses “${name}” sees and changes nothing from this moment on. What it did stays.`,
    token: (name: string) =>
      `Programs that use “${name}” are refused from this moment on, and need another token.`,
    over: (name: string) => `“${name}” has expired already. It only leaves the list.`,
    final: 'This cannot be undone.',
    revoked: (name: string) => `Revoked ${name}`,
  },
  de: {
    used: (at) => `Zuletzt benutzt: ${at}`,
    usedFrom: (at, address) => `Zuletzt benutzt: ${at} von ${address}`,
    unused: 'Noch nicht benutzt',
    made: (date) => `angelegt am ${date}`,
    ends: (date) => `gültig bis ${date}`,
    endless: 'unbefristet gültig',
    ended: (date) => `abgelaufen am ${date}`,
    revoke: 'Widerrufen',
    revokeNamed: (name) => `${name} widerrufen`,
    app: (name) =>
      `Das Gerät mit „${name}“ gleicht von diesem Moment an nicht mehr ab. Was es hat, bleibt auf ihm. Dort muss ein anderes App-Passwort eingegeben werden.`,
    assistant: (name) =>
      `Der Assistent mit „${name}“ sieht und ändert von diesem Moment an nichts mehr. Was er getan hat, bleibt.`,
    token: (name) =>
      `Programme mit „${name}“ werden von diesem Moment an abgewiesen und brauchen ein anderes Token.`,
    over: (name) => `„${name}“ ist schon abgelaufen und verschwindet nur aus der Liste.`,
    final: 'Das lässt sich nicht rückgängig machen.',
    revoked: (name) => `${name} widerrufen`,
  },
})

interface TokenProps {
  readonly token: TokenView
  readonly onRevoked: () => void
}

const isOver = ({ expires_at: at }: TokenView): boolean =>
  at !== null && Temporal.Instant.compare(Temporal.Instant.from(at), now()) <= 0

/** One token: what it opens, when it was used, and its end. */
export function TokenLine({ token, onRevoked }: TokenProps) {
  const m = useMessages(messages)
  const kinds = useMessages(scopeMessages)
  const words = useScopeWords()
  const [isEnding, setEnding] = useState(false)
  return (
    <li>
      <div>
        <p className="fact-name">
          {token.name} <span className="fact-mark">{kinds[kindOf(token)]}</span>
        </p>
        <p>{factLine(words(token))}</p>
        <p>
          <TokenDates token={token} />
          {'\u00a0· '}
          <code>org_{token.prefix}…</code>
        </p>
      </div>
      <Button aria-label={m.revokeNamed(token.name)} onClick={() => setEnding(true)}>
        {m.revoke}
      </Button>
      {isEnding && <RevokeDialog token={token} onRevoked={onRevoked} onClose={() => setEnding(false)} />}
    </li>
  )
}

function TokenDates({ token }: Pick<TokenProps, 'token'>) {
  const m = useMessages(messages)
  const { date, moment } = useWritten()
  const { last_used_at: usedAt, last_used_ip: address, expires_at: endsAt } = token
  const facts = [
    usedAt === null
      ? m.unused
      : address === null
        ? m.used(moment(usedAt))
        : m.usedFrom(moment(usedAt), address),
    m.made(date(token.created_at)),
    endsAt === null ? m.endless : isOver(token) ? m.ended(date(endsAt)) : m.ends(date(endsAt)),
  ]
  return factLine(facts)
}

interface RevokeProps extends TokenProps {
  readonly onClose: () => void
}

function RevokeDialog({ token, onRevoked, onClose }: RevokeProps) {
  const m = useMessages(messages)
  const { id, name } = token
  const form = useForm(async () => {
    await revokeToken(id).catch((error: unknown) => {
      // It is gone already, which is what was asked for.
      if (refusalOf(error)?.status !== 404) throw error
    })
    announce({ text: m.revoked(name) })
    onClose()
    onRevoked()
  })
  return (
    <FormDialog title={m.revokeNamed(name)} action={m.revoke} isDangerous form={form} onClose={onClose}>
      <p>{isOver(token) ? m.over(name) : m[kindOf(token)](name)}</p>
      {!isOver(token) && <p>{m.final}</p>}
    </FormDialog>
  )
}
