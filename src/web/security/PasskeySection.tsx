import { useState } from 'react'
import type { PasskeyView } from '../../features/identity/passkeys/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { announce } from '../parts/messages-store'
import { hasPasskeySupport } from '../session/passkey'
import { checkSession } from '../session/session'
import { useSignedIn } from '../session/use-session'
import { tellTabs } from '../session/tabs'
import { useWritten } from '../time/use-written'
import { Answered } from './Answered'
import { addPasskey, readIsPasswordless, readPasskeys } from './data'
import { useDeviceName } from './devices'
import { factLine } from './fact-line'
import { RemovePasskeyDialog, RenamePasskeyDialog } from './PasskeyDialogs'
import { MIN_PASSKEYS, PasswordlessSwitch } from './PasswordlessSwitch'
import { useAction } from './use-action'
import { useKeptFocus } from './use-kept-focus'

const messages = defineMessages({
  en: {
    title: 'Passkeys',
    why: 'A passkey signs you in with the fingerprint, face or PIN of your device, or with a security key. It cannot be guessed, and no other site can ask for it.',
    unused: (provider: string) => `Passkeys open nothing here as long as only ${provider} does.`,
    add: 'Add a passkey',
    added: (name: string) => `Added the passkey ${name}`,
    already: 'This device has a passkey of your account already.',
    failed: 'This browser could not make a passkey here.',
    unsupported: 'Passkeys need a browser that knows them, and https.',
    lastUsed: (at: string) => `Last used ${at}`,
    neverUsed: 'Not used yet',
    since: (date: string) => `since ${date}`,
    backedUp: 'backed up',
    notBackedUp: 'not backed up: lost with its device',
    rename: (name: string) => `Rename ${name}`,
    remove: (name: string) => `Remove ${name}`,
  },
  de: {
    title: 'Passkeys',
    why: 'Ein Passkey meldet mit Fingerabdruck, Gesicht oder PIN des Geräts an, oder mit einem Sicherheitsschlüssel. Er lässt sich nicht erraten, und keine andere Seite kann ihn abfragen.',
    unused: (provider) => `Passkeys öffnen hier nichts, solange das nur ${provider} tut.`,
    add: 'Passkey hinzufügen',
    added: (name) => `Passkey ${name} hinzugefügt`,
    already: 'Dieses Gerät hat schon einen Passkey dieses Kontos.',
    failed: 'Dieser Browser konnte hier keinen Passkey anlegen.',
    unsupported: 'Passkeys brauchen einen Browser, der sie kennt, und https.',
    lastUsed: (at) => `Zuletzt benutzt: ${at}`,
    neverUsed: 'Noch nicht benutzt',
    since: (date) => `seit ${date}`,
    backedUp: 'gesichert',
    notBackedUp: 'nicht gesichert: mit dem Gerät verloren',
    rename: (name) => `${name} umbenennen`,
    remove: (name) => `${name} entfernen`,
  },
})

const readAll = async () => {
  const [passkeys, isPasswordless] = await Promise.all([readPasskeys(), readIsPasswordless()])
  return { passkeys, isPasswordless }
}

/** The passkeys of the account, and whether they alone sign in. */
export function PasskeySection() {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  const asked = useAnswer(readAll)
  const heading = useKeptFocus(asked.value?.passkeys)
  const renew = () => {
    asked.again()
    // The lock screen and the dialogs of all tabs offer what there is.
    void checkSession()
    tellTabs('changed')
  }
  return (
    <section aria-labelledby="passkeys-title">
      <h2 id="passkeys-title" ref={heading} tabIndex={-1}>
        {m.title}
      </h2>
      <p>{user.isProviderOnly ? m.unused(user.provider ?? '') : m.why}</p>
      <Answered asked={asked}>
        {({ passkeys, isPasswordless }) => (
          <>
            {passkeys.length > 0 && (
              <ul className="fact-lines" aria-labelledby="passkeys-title">
                {passkeys.map((passkey) => (
                  <PasskeyLine
                    key={passkey.id}
                    passkey={passkey}
                    isNeeded={isPasswordless && passkeys.length <= MIN_PASSKEYS}
                    onChanged={renew}
                  />
                ))}
              </ul>
            )}
            {!user.isProviderOnly && (
              <>
                <AddPasskey onAdded={renew} />
                <PasswordlessSwitch isOn={isPasswordless} passkeys={passkeys.length} onChanged={renew} />
              </>
            )}
          </>
        )}
      </Answered>
    </section>
  )
}

function AddPasskey({ onAdded }: { readonly onAdded: () => void }) {
  const m = useMessages(messages)
  const nameOf = useDeviceName()
  const tell = (error: unknown) => {
    if (!(error instanceof DOMException)) return undefined
    return error.name === 'InvalidStateError' ? m.already : m.failed
  }
  const { isBusy, problem, run } = useAction(tell)
  if (!hasPasskeySupport()) return <p className="settings-lead">{m.unsupported}</p>
  const add = async () => {
    const { name } = await addPasskey(nameOf(navigator.userAgent))
    announce({ text: m.added(name) })
    onAdded()
  }
  return (
    <>
      <Button isBusy={isBusy} onClick={() => run(add)}>
        <Icon name="passkey" />
        {m.add}
      </Button>
      <p role="alert" className="field-problem">
        {problem}
      </p>
    </>
  )
}

interface PasskeyLineProps {
  readonly passkey: PasskeyView
  /** Signing in without a password needs it. */
  readonly isNeeded: boolean
  readonly onChanged: () => void
}

function PasskeyLine({ passkey, isNeeded, onChanged }: PasskeyLineProps) {
  const m = useMessages(messages)
  const { date, moment } = useWritten()
  const [opened, open] = useState<'rename' | 'remove'>()
  const { name, created_at: createdAt, last_used_at: usedAt, backed_up: isBackedUp } = passkey
  const facts = [
    usedAt === null ? m.neverUsed : m.lastUsed(moment(usedAt)),
    m.since(date(createdAt)),
    isBackedUp ? m.backedUp : m.notBackedUp,
  ]
  const close = () => open(undefined)
  return (
    <li>
      <div>
        <p className="fact-name">{name}</p>
        <p>{factLine(facts)}</p>
      </div>
      <Button kind="quiet" aria-label={m.rename(name)} title={m.rename(name)} onClick={() => open('rename')}>
        <Icon name="edit" />
      </Button>
      <Button kind="quiet" aria-label={m.remove(name)} title={m.remove(name)} onClick={() => open('remove')}>
        <Icon name="delete" />
      </Button>
      {opened === 'rename' && <RenamePasskeyDialog passkey={passkey} onDone={onChanged} onClose={close} />}
      {opened === 'remove' && (
        <RemovePasskeyDialog passkey={passkey} isNeeded={isNeeded} onDone={onChanged} onClose={close} />
      )}
    </li>
  )
}
