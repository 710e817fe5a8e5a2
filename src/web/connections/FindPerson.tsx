import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { SearchView } from '../../features/people/requests/model'
import { connectionAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { FormAlert, SubmitButton } from '../parts/Form'
import { announce } from '../parts/messages-store'
import { TextArea } from '../parts/TextArea'
import { useForm } from '../parts/use-form'
import { useConnections, usePending, useSettings } from './data'
import { nameOf, wholeNameOf } from './names'
import { searchUser, sendRequest } from './calls'
import { connectionTexts } from './texts'
import { useCancelling } from './use-cancelling'

const messages = defineMessages({
  en: {
    title: 'Find somebody',
    hint: 'The complete name; capital letters do not matter.',
    search: 'Search',
    missing: 'Fill this in.',
    nobody: (name: string) =>
      `Nobody is called exactly ${name}, or they accept no requests. Ask them how their network name is written.`,
    yourself: 'This is your own network name.',
    connected: (name: string) => `You are connected with ${name}.`,
    open: 'Open',
    asked: (name: string) => `You have asked ${name} already. The request waits for an answer.`,
    asks: (name: string) => `${name} has asked you already: the request stands on this page.`,
    found: (name: string) => `Found ${name}`,
    message: 'Message',
    messageHint: 'If you like, say who you are. It is sent with the request.',
    send: 'Send request',
    notNow: 'Not now',
    sent: (name: string) => `Sent a request to ${name}`,
  },
  de: {
    title: 'Jemanden finden',
    hint: 'Der vollständige Name; Groß- und Kleinschreibung ist egal.',
    search: 'Suchen',
    missing: 'Bitte ausfüllen.',
    nobody: (name) =>
      `Niemand heißt genau ${name}, oder das Konto nimmt keine Anfragen an. Am besten die genaue Schreibweise erfragen.`,
    yourself: 'Das ist der eigene Netzwerkname.',
    connected: (name) => `${name} ist schon ein Kontakt.`,
    open: 'Öffnen',
    asked: (name) => `${name} ist schon angefragt. Die Antwort steht noch aus.`,
    asks: (name) => `Von ${name} liegt schon eine Anfrage vor; sie steht auf dieser Seite.`,
    found: (name) => `${name} gefunden`,
    message: 'Nachricht',
    messageHint: 'Auf Wunsch ein Wort dazu, wer anfragt. Sie geht mit der Anfrage mit.',
    send: 'Anfrage senden',
    notNow: 'Jetzt nicht',
    sent: (name) => `Anfrage an ${name} gesendet`,
  },
})

type SearchOutcome =
  | { readonly is: 'found'; readonly user: SearchView }
  | { readonly is: 'told'; readonly text: string; readonly connection?: number }

/** Looks for somebody by their exact network name, and asks them to connect. */
export function FindPerson() {
  const m = useMessages(messages)
  const texts = useMessages(connectionTexts)
  const { form, outcome, forget } = useSearch()
  const begin = () => {
    const { current } = form.props.ref
    current?.reset()
    current?.querySelector('input')?.focus()
    forget()
  }
  return (
    <section aria-labelledby="find-person">
      <h2 id="find-person">{m.title}</h2>
      <form {...form.props} className="ask-form" role="search" aria-labelledby="find-person">
        <FormAlert form={form} />
        <Field
          label={texts.networkName}
          name="network_name"
          maxLength={32}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={m.hint}
          problem={form.problems['network_name']}
        />
        <Button type="submit" isBusy={form.isBusy || form.waitSeconds > 0}>
          {m.search}
        </Button>
      </form>
      <Told outcome={outcome} />
      {outcome?.is === 'found' && (
        <SendRequest key={outcome.user.network_name} user={outcome.user} onDone={begin} />
      )}
    </section>
  )
}

/** What came of the search, for those who do not see it too. */
function Told({ outcome }: { readonly outcome: SearchOutcome | undefined }) {
  const m = useMessages(messages)
  return (
    <div role="status" className={outcome?.is === 'told' ? undefined : 'visually-hidden'}>
      {outcome?.is === 'found' && m.found(outcome.user.network_name)}
      {outcome?.is === 'told' && outcome.text}{' '}
      {outcome?.is === 'told' && outcome.connection !== undefined && (
        <Link href={connectionAddress(outcome.connection)}>{m.open}</Link>
      )}
    </div>
  )
}

/** The form of the search; what it found holds until something else is typed. */
function useSearch() {
  const m = useMessages(messages)
  const known = useKnown()
  const [outcome, setOutcome] = useState<SearchOutcome>()
  const form = useForm(
    async ({ network_name: typed = '' }) => {
      const name = typed.trim()
      const told = known(name)
      if (told) return setOutcome(told)
      const { body } = await searchUser(name)
      setOutcome(body.found ? { is: 'found', user: body } : { is: 'told', text: m.nobody(name) })
    },
    ({ network_name: name = '' }) => (name.trim() === '' ? { network_name: m.missing } : {}),
  )
  const forget = () => setOutcome(undefined)
  const onInput = () => {
    form.props.onInput()
    forget()
  }
  return { form: { ...form, props: { ...form.props, onInput } }, outcome, forget }
}

/** Answers for names that need no search. */
function useKnown(): (name: string) => SearchOutcome | undefined {
  const m = useMessages(messages)
  const { network_name: own } = useSettings()
  const { connections } = useConnections()
  const { requests: incoming } = usePending('incoming')
  const { requests: outgoing } = usePending('outgoing')
  return (typed) => {
    const isMeant = (handle: string) => handle.toLowerCase() === typed.toLowerCase()
    const connection = connections.find((each) => isMeant(each.network_name))
    if (isMeant(own)) return { is: 'told', text: m.yourself }
    if (connection) return { is: 'told', text: m.connected(nameOf(connection)), connection: connection.id }
    if (outgoing.some(({ user }) => isMeant(user.network_name))) return { is: 'told', text: m.asked(typed) }
    if (incoming.some(({ user }) => isMeant(user.network_name))) return { is: 'told', text: m.asks(typed) }
    return undefined
  }
}

interface SendRequestProps {
  readonly user: SearchView
  readonly onDone: () => void
}

function SendRequest({ user, onDone }: SendRequestProps) {
  const m = useMessages(messages)
  const cancel = useCancelling()
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    ref.current?.closest('form')?.scrollIntoView({ block: 'nearest' })
  }, [])
  const { network_name: handle, preferred_name: name = null } = user
  const shown = wholeNameOf({ network_name: handle, preferred_name: name })
  const form = useForm(async ({ message = '' }) => {
    const text = message.trim() === '' ? {} : { message }
    const { body } = await sendRequest({ network_name: handle, ...text })
    onDone()
    announce({ text: m.sent(shown), undo: () => cancel(body) })
  })
  return (
    <form {...form.props} className="found-person">
      <p ref={ref} className="found-name">
        <Avatar name={name ?? handle} />
        {shown}
      </p>
      <FormAlert form={form} />
      <TextArea label={m.message} name="message" maxLength={500} hint={m.messageHint} rows={2} />
      <div className="share-actions">
        <SubmitButton form={form}>{m.send}</SubmitButton>
        <Button kind="quiet" onClick={onDone}>
          {m.notNow}
        </Button>
      </div>
    </form>
  )
}
