import { type RefObject, useRef, useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages, localeOf } from '../messages/messages'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { CopyButton } from '../parts/CopyButton'
import { announce } from '../parts/messages-store'
import { useAction } from '../security/use-action'
import { endFeed, makeFeed } from './writes'

const messages = defineMessages({
  en: {
    title: 'Secret address',
    about:
      'Other calendar programs can subscribe to this calendar by a secret address. Everybody who knows it can read the calendar.',
    make: 'Make a secret address',
    renew: 'Make a new one',
    renewsAll:
      'The address that is there now ends: programs that subscribe to it stop getting the calendar until they are given the new one. That cannot be undone.',
    end: 'End the secret address',
    endIt: 'End it',
    endsAll: 'Programs that subscribe to it stop getting the calendar. That cannot be undone.',
    ended: 'The secret address has ended',
    what: 'the address',
    once: 'This is the only time that the address is shown:',
    since: (date: string) => `There is a secret address since ${date}.`,
  },
  de: {
    title: 'Geheime Adresse',
    about:
      'Andere Kalenderprogramme können diesen Kalender über eine geheime Adresse abonnieren. Wer sie kennt, kann den Kalender lesen.',
    make: 'Geheime Adresse anlegen',
    renew: 'Neue anlegen',
    renewsAll:
      'Die jetzige Adresse gilt dann nicht mehr: Programme, die sie abonniert haben, bekommen den Kalender erst mit der neuen wieder. Das lässt sich nicht rückgängig machen.',
    end: 'Geheime Adresse aufheben',
    endIt: 'Aufheben',
    endsAll:
      'Programme, die sie abonniert haben, bekommen den Kalender nicht mehr. Das lässt sich nicht rückgängig machen.',
    ended: 'Die geheime Adresse ist aufgehoben',
    what: 'Adresse',
    once: 'Die Adresse wird nur dieses eine Mal gezeigt:',
    since: (date) => `Seit ${date} gibt es eine geheime Adresse.`,
  },
})

/** Makes and ends the address under which other programs read a calendar. Nothing brings an ended one back. */
export function SecretAddress({ calendar }: { readonly calendar: CalendarView }) {
  const { feed_created_at: createdAt } = calendar
  const m = useMessages(messages)
  const heading = useRef<HTMLHeadingElement>(null)
  const { url, isBusy, problem, question, ask, make, end } = useFeed(calendar, heading)
  const isThere = createdAt !== null || url !== undefined
  return (
    <section className="secret-address" aria-labelledby="address-title">
      <h2 id="address-title" ref={heading} tabIndex={-1}>
        {m.title}
      </h2>
      <p>{m.about}</p>
      {problem !== undefined && (
        <p role="alert" className="field-problem">
          {problem}
        </p>
      )}
      {isThere && <Address url={url} createdAt={createdAt} />}
      <p className="actions">
        <Button isBusy={isBusy} onClick={isThere ? () => ask('renew') : make}>
          {isThere ? m.renew : m.make}
        </Button>
        {isThere && <Button onClick={() => ask('end')}>{m.end}</Button>}
      </p>
      {question === 'renew' && (
        <ConfirmDialog title={m.renew} action={m.renew} onConfirm={make} onClose={() => ask(undefined)}>
          <p>{m.renewsAll}</p>
        </ConfirmDialog>
      )}
      {question === 'end' && (
        <ConfirmDialog title={m.end} action={m.endIt} onConfirm={end} onClose={() => ask(undefined)}>
          <p>{m.endsAll}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

interface AddressProps {
  readonly url: string | undefined
  readonly createdAt: string | null
}

/** The address itself is known only here and only now. */
function Address({ url, createdAt }: AddressProps) {
  const { language } = useLanguage()
  const m = useMessages(messages)
  if (url === undefined) return createdAt !== null && <p>{m.since(dateIn(localeOf(language), createdAt))}</p>
  return (
    <p>
      {m.once} <code>{url}</code> <CopyButton text={url} what={m.what} />
    </p>
  )
}

function useFeed({ id }: CalendarView, heading: RefObject<HTMLElement | null>) {
  const m = useMessages(messages)
  const { isBusy, problem, run } = useAction()
  const [url, setUrl] = useState<string>()
  const [question, ask] = useState<'renew' | 'end'>()
  return {
    url,
    isBusy,
    problem,
    question,
    ask,
    make: () => {
      ask(undefined)
      run(async () => {
        const { body } = await makeFeed(id)
        setUrl(body.url)
      })
    },
    end: () => {
      ask(undefined)
      run(async () => {
        await endFeed(id)
        setUrl(undefined)
        announce({ text: m.ended })
        // The button that had it goes away.
        heading.current?.focus()
      })
    },
  }
}

const dateIn = (locale: string, instant: string): string =>
  Temporal.Instant.from(instant).toLocaleString(locale, { dateStyle: 'long' })
