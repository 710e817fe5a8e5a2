import { useId, useMemo, useState } from 'react'
import type { RequestView } from '../../features/people/requests/model'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { useHandingOn } from '../parts/use-handing-on'
import { useWriting } from '../store/use-writing'
import { dateAt } from '../time/days'
import { shortDay } from '../time/format'
import { useZone } from '../time/use-zone'
import { BlockDialog } from './BlockDialog'
import { usePending } from './data'
import { accepting, rejecting } from './intents'
import { nameOf, wholeNameOf } from './names'
import { connectionTexts } from './texts'
import { useCancelling } from './use-cancelling'

const messages = defineMessages({
  en: {
    incoming: 'Requests to you',
    outgoing: 'Requests that you sent',
    accepted: (name: string) => `Connected with ${name}`,
    rejected: (name: string) => `Rejected the request of ${name}, who is not told and may ask again`,
    cancel: 'Cancel',
    sent: (day: string) => `Sent ${day}`,
    quote: (text: string) => `“${text}”`,
  },
  de: {
    incoming: 'Eingegangene Anfragen',
    outgoing: 'Gesendete Anfragen',
    accepted: (name) => `Mit ${name} verbunden`,
    rejected: (name) => `Anfrage von ${name} abgelehnt; ${name} erfährt nicht davon und darf wieder anfragen`,
    cancel: 'Zurückziehen',
    sent: (day) => `Gesendet: ${day}`,
    quote: (text) => `„${text}“`,
  },
})

/** The requests that wait for the user's answer; nothing where there are none. */
export function IncomingRequests() {
  const m = useMessages(messages)
  const id = useId()
  const { requests } = usePending('incoming')
  if (requests.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.incoming}</h2>
      <ul className="shares" aria-labelledby={id}>
        {requests.map((request) => (
          <Incoming key={request.id} request={request} />
        ))}
      </ul>
    </section>
  )
}

function Incoming({ request }: { readonly request: RequestView }) {
  const m = useMessages(messages)
  const texts = useMessages(connectionTexts)
  const id = useId()
  const ref = useHandingOn<HTMLLIElement>()
  const write = useWriting()
  const [asksToBlock, askToBlock] = useState(false)
  const name = nameOf(request.user)
  const actions = useMemo<readonly MenuAction[]>(
    () => [{ id: 'block', label: texts.block, isDangerous: true, run: () => askToBlock(true) }],
    [texts],
  )
  return (
    <li ref={ref} className="share">
      <Avatar name={name} />
      <Asker id={id} request={request} />
      <span className="share-actions">
        <Button
          kind="primary"
          aria-describedby={id}
          onClick={() => write(accepting(request, m.accepted(name)))}
        >
          {texts.accept}
        </Button>
        <Button aria-describedby={id} onClick={() => write(rejecting(request, m.rejected(name)))}>
          {texts.reject}
        </Button>
        <MenuButton kind="quiet" actions={actions} aria-label={texts.more(name)} title={texts.more(name)}>
          <Icon name="more" />
        </MenuButton>
      </span>
      {asksToBlock && <BlockDialog name={request.user.network_name} onClose={() => askToBlock(false)} />}
    </li>
  )
}

/** Who asks, since when, and what they wrote. */
function Asker({ id, request }: { readonly id: string; readonly request: RequestView }) {
  const m = useMessages(messages)
  const [locale, zone] = [useLocale(), useZone()]
  const day = shortDay(dateAt(Temporal.Instant.from(request.created_at), zone), locale)
  return (
    <span className="share-name">
      <span id={id}>{wholeNameOf(request.user)}</span>
      <span className="field-hint">{m.sent(day)}</span>
      {request.message !== null && <span className="share-message">{m.quote(request.message)}</span>}
    </span>
  )
}

/** The user's own requests that wait for an answer; nothing where there are none. */
export function OutgoingRequests() {
  const m = useMessages(messages)
  const id = useId()
  const { requests } = usePending('outgoing')
  if (requests.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.outgoing}</h2>
      <ul className="shares" aria-labelledby={id}>
        {requests.map((request) => (
          <Outgoing key={request.id} request={request} />
        ))}
      </ul>
    </section>
  )
}

function Outgoing({ request }: { readonly request: RequestView }) {
  const m = useMessages(messages)
  const id = useId()
  const ref = useHandingOn<HTMLLIElement>()
  const cancel = useCancelling()
  return (
    <li ref={ref} className="share">
      <Avatar name={nameOf(request.user)} />
      <Asker id={id} request={request} />
      <Button aria-describedby={id} onClick={() => cancel(request)}>
        {m.cancel}
      </Button>
    </li>
  )
}
