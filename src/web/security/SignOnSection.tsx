import { useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import type { IdentityView } from '../../features/identity/identities/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { FormDialog } from '../parts/FormDialog'
import { Icon } from '../parts/Icon'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { signOnCode, signOnRefusals } from '../session/sign-on'
import { useWritten } from '../time/use-written'
import { Answered } from './Answered'
import { linkSignOn, readSignOn, unlinkSignOn } from './data'
import { factLine } from './fact-line'
import { useAction } from './use-action'
import { useKeptFocus } from './use-kept-focus'

const messages = defineMessages({
  en: {
    title: 'Single sign-on',
    why: (provider: string) => `A linked sign-in at ${provider} opens your account without its password.`,
    link: (provider: string) => `Link a sign-in at ${provider}`,
    linked: 'Linked sign-ins',
    unnamed: 'A sign-in without a name',
    since: (date: string) => `since ${date}`,
    lastUsed: (at: string) => `Last used ${at}`,
    unlink: (name: string) => `Unlink ${name}`,
    unlinking: 'Unlink sign-in',
    unlinkWhy: (name: string) => `“${name}” no longer opens your account. You can link it again.`,
    confirm: 'Unlink',
    unlinked: (name: string) => `Unlinked ${name}`,
  },
  de: {
    title: 'Single Sign-on',
    why: (provider) => `Eine verknüpfte Anmeldung bei ${provider} öffnet das Konto ohne dessen Passwort.`,
    link: (provider) => `Anmeldung bei ${provider} verknüpfen`,
    linked: 'Verknüpfte Anmeldungen',
    unnamed: 'Eine Anmeldung ohne Namen',
    since: (date) => `seit ${date}`,
    lastUsed: (at) => `Zuletzt benutzt: ${at}`,
    unlink: (name) => `Verknüpfung mit ${name} lösen`,
    unlinking: 'Verknüpfung lösen',
    unlinkWhy: (name) =>
      `„${name}“ öffnet das Konto dann nicht mehr. Eine neue Verknüpfung ist jederzeit möglich.`,
    confirm: 'Lösen',
    unlinked: (name) => `Verknüpfung mit ${name} gelöst`,
  },
})

/** The sign-ins at the identity provider that open the account; nothing where there is no provider. */
export function SignOnSection() {
  const m = useMessages(messages)
  const words = useMessages(signOnRefusals)
  const refused = signOnCode(useSearch())
  const asked = useAnswer(readSignOn)
  const heading = useKeptFocus(asked.value?.identities)
  return (
    <Answered asked={asked}>
      {(signOn) =>
        signOn && (
          <section aria-labelledby="sign-on-title">
            <h2 id="sign-on-title" ref={heading} tabIndex={-1}>
              {m.title}
            </h2>
            <p>{m.why(signOn.provider)}</p>
            {signOn.identities.length > 0 && (
              <ul className="fact-lines" aria-label={m.linked}>
                {signOn.identities.map((identity) => (
                  <IdentityLine key={identity.id} identity={identity} onChanged={asked.again} />
                ))}
              </ul>
            )}
            <LinkButton provider={signOn.provider} refused={refused && words[refused]} />
          </section>
        )
      }
    </Answered>
  )
}

interface LinkButtonProps {
  readonly provider: string
  /** Why the last attempt failed. */
  readonly refused: string | undefined
}

function LinkButton({ provider, refused }: LinkButtonProps) {
  const m = useMessages(messages)
  const { isBusy, problem, run } = useAction()
  const button = useRef<HTMLButtonElement>(null)
  // Somebody who comes back refused would else see the top of a long page.
  useEffect(() => {
    if (refused !== undefined) button.current?.focus()
  }, [refused])
  return (
    <>
      <Button ref={button} isBusy={isBusy} onClick={() => run(linkSignOn)}>
        {m.link(provider)}
      </Button>
      <p role="alert" className="field-problem">
        {problem ?? refused}
      </p>
    </>
  )
}

interface IdentityLineProps {
  readonly identity: IdentityView
  readonly onChanged: () => void
}

function IdentityLine({ identity, onChanged }: IdentityLineProps) {
  const m = useMessages(messages)
  const { date, moment } = useWritten()
  const [isOpen, setOpen] = useState(false)
  const { id, name: given, email, created_at: createdAt, last_used_at: usedAt } = identity
  const name = given ?? email ?? m.unnamed
  const facts = [
    ...(given !== null && email !== null ? [email] : []),
    ...(usedAt === null ? [] : [m.lastUsed(moment(usedAt))]),
    m.since(date(createdAt)),
  ]
  const form = useForm(async () => {
    await unlinkSignOn(id)
    announce({ text: m.unlinked(name) })
    setOpen(false)
    onChanged()
  })
  return (
    <li>
      <div>
        <p className="fact-name">{name}</p>
        <p>{factLine(facts)}</p>
      </div>
      <Button kind="quiet" aria-label={m.unlink(name)} title={m.unlink(name)} onClick={() => setOpen(true)}>
        <Icon name="delete" />
      </Button>
      {isOpen && (
        <FormDialog
          title={m.unlinking}
          action={m.confirm}
          isDangerous
          form={form}
          onClose={() => setOpen(false)}
        >
          <p>{m.unlinkWhy(name)}</p>
        </FormDialog>
      )}
    </li>
  )
}
