import { useEffect } from 'react'
import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { RequestId } from '../parts/RequestId'
import { refreshSession } from '../session/session'
import { watchConnection } from './watch-connection'

const messages = defineMessages({
  en: {
    title: 'Organiser is not reachable',
    offline: 'This device could not reach the service. Nothing that you saved is lost.',
    busy: 'The service is busy or restarting. Nothing that you saved is lost.',
    failed: 'Something went wrong on the service’s side.',
    again: 'Try again',
  },
  de: {
    title: 'Organiser ist nicht erreichbar',
    offline: 'Dieses Gerät konnte den Dienst nicht erreichen. Nichts Gespeichertes ist verloren.',
    busy: 'Der Dienst ist ausgelastet oder startet neu. Nichts Gespeichertes ist verloren.',
    failed: 'Beim Dienst ist etwas schiefgegangen.',
    again: 'Noch einmal versuchen',
  },
})

/** Stands in for the client while it does not know who uses it, until the service answers again. */
export function Unreachable({ refusal }: { readonly refusal: Refusal | undefined }) {
  const m = useMessages(messages)
  useEffect(watchConnection, [])
  const sentence = { 0: m.offline, 503: m.busy }[refusal?.status ?? 500] ?? m.failed
  return (
    <main className="enter">
      <title>{`${m.title} – Organiser`}</title>
      <div className="enter-card">
        <h1>{m.title}</h1>
        <p>{sentence}</p>
        <RequestId refusal={refusal} />
        <Button kind="primary" onClick={() => void refreshSession()}>
          {m.again}
        </Button>
      </div>
    </main>
  )
}
