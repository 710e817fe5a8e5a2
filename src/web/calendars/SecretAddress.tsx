import { useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { refusalOf } from '../api/refusal'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages, localeOf } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { CopyButton } from '../parts/CopyButton'
import { announce } from '../parts/messages-store'
import { endFeed, makeFeed } from './writes'

const messages = defineMessages({
  en: {
    title: 'Secret address',
    about:
      'Other calendar programs can subscribe to this calendar by a secret address. Everybody who knows it can read the calendar.',
    make: 'Make a secret address',
    renew: 'Make a new one; the old one ends',
    end: 'End the secret address',
    what: 'the address',
    once: 'This is the only time that the address is shown:',
    since: (date: string) => `There is a secret address since ${date}.`,
  },
  de: {
    title: 'Geheime Adresse',
    about:
      'Andere Kalenderprogramme können diesen Kalender über eine geheime Adresse abonnieren. Wer sie kennt, kann den Kalender lesen.',
    make: 'Geheime Adresse anlegen',
    renew: 'Neue anlegen; die alte gilt nicht mehr',
    end: 'Geheime Adresse aufheben',
    what: 'Adresse',
    once: 'Die Adresse wird nur dieses eine Mal gezeigt:',
    since: (date) => `Seit ${date} gibt es eine geheime Adresse.`,
  },
})

/** Makes and ends the address under which other programs read a calendar. */
export function SecretAddress({ calendar }: { readonly calendar: CalendarView }) {
  const { id, feed_created_at: createdAt } = calendar
  const { language } = useLanguage()
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const [url, setUrl] = useState<string>()
  const attempt = async (step: () => Promise<void>) => {
    try {
      await step()
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      announce({ text: sentence(refusal), isError: true })
    }
  }
  const make = () =>
    attempt(async () => {
      const { body } = await makeFeed(id)
      setUrl(body.url)
    })
  const end = () =>
    attempt(async () => {
      await endFeed(id)
      setUrl(undefined)
    })
  return (
    <section className="secret-address" aria-labelledby="address-title">
      <h2 id="address-title">{m.title}</h2>
      <p>{m.about}</p>
      {url !== undefined && (
        <p>
          {m.once} <code>{url}</code> <CopyButton text={url} what={m.what} />
        </p>
      )}
      {url === undefined && createdAt !== null && <p>{m.since(dateIn(localeOf(language), createdAt))}</p>}
      <p className="actions">
        <Button onClick={() => void make()}>{createdAt === null ? m.make : m.renew}</Button>
        {createdAt !== null && <Button onClick={() => void end()}>{m.end}</Button>}
      </p>
    </section>
  )
}

const dateIn = (locale: string, instant: string): string =>
  Temporal.Instant.from(instant).toLocaleString(locale, { dateStyle: 'long' })
