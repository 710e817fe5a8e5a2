import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Checkbox } from '../parts/Checkbox'
import { announce } from '../parts/messages-store'
import { refusalOf } from '../api/refusal'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { revokeOtherSessions, revokeSession } from './data'

const messages = defineMessages({
  en: {
    one: (device: string) => `Sign out ${device}`,
    oneWhy: 'It has to sign in again. What was typed there and not saved is lost.',
    end: 'Sign out',
    ended: (device: string) => `${device} is signed out`,
    others: 'Sign out all others',
    othersWhy: (count: number) =>
      `${count} ${counted(count, 'session has', 'sessions have')} to sign in again. What was typed there and not saved is lost.`,
    everything: 'End everything else that opens the account too',
    everythingHint:
      'The secret addresses of all calendars, app passwords and access tokens no longer work, and have to be made anew.',
    othersEnded: (count: number) => `${count} ${counted(count, 'session', 'sessions')} ended`,
    everythingEnded: (sessions: number, addresses: number, tokens: number) =>
      `Ended: ${sessions} ${counted(sessions, 'session', 'sessions')}, ${addresses} secret ${counted(addresses, 'address', 'addresses')}, ${tokens} ${counted(tokens, 'token', 'tokens')}`,
  },
  de: {
    one: (device) => `${device} abmelden`,
    oneWhy:
      'Dort ist danach eine neue Anmeldung nötig. Was eingegeben und nicht gespeichert ist, geht verloren.',
    end: 'Abmelden',
    ended: (device) => `${device} ist abgemeldet`,
    others: 'Alle anderen abmelden',
    othersWhy: (count) =>
      `${count} ${counted(count, 'Sitzung endet', 'Sitzungen enden')}. Was dort eingegeben und nicht gespeichert ist, geht verloren.`,
    everything: 'Auch alles andere beenden, was das Konto öffnet',
    everythingHint:
      'Geheime Adressen aller Kalender, App-Passwörter und Zugriffstoken gelten nicht mehr und müssen neu angelegt werden.',
    othersEnded: (count) => `${count} ${counted(count, 'Sitzung', 'Sitzungen')} beendet`,
    everythingEnded: (sessions, addresses, tokens) =>
      `Beendet: ${sessions} ${counted(sessions, 'Sitzung', 'Sitzungen')}, ${addresses} geheime ${counted(addresses, 'Adresse', 'Adressen')}, ${tokens} Token`,
  },
})

interface EndingProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

interface EndSessionProps extends EndingProps {
  readonly id: string
  readonly device: string
}

export function EndSessionDialog({ id, device, onDone, onClose }: EndSessionProps) {
  const m = useMessages(messages)
  const form = useForm(async () => {
    await revokeSession(id).catch((error: unknown) => {
      // It ended by itself, or somebody ended it elsewhere.
      if (refusalOf(error)?.status !== 404) throw error
    })
    announce({ text: m.ended(device) })
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.one(device)} action={m.end} isDangerous form={form} onClose={onClose}>
      <p>{m.oneWhy}</p>
    </FormDialog>
  )
}

interface EndOthersProps extends EndingProps {
  readonly count: number
}

export function EndOthersDialog({ count, onDone, onClose }: EndOthersProps) {
  const m = useMessages(messages)
  const form = useForm(async ({ everything }) => {
    const {
      revoked,
      feeds_ended: feeds,
      tokens_revoked: tokens,
    } = await revokeOtherSessions(everything !== undefined)
    const isAll = feeds !== undefined && tokens !== undefined
    announce({ text: isAll ? m.everythingEnded(revoked, feeds, tokens) : m.othersEnded(revoked) })
    onClose()
    onDone()
  })
  return (
    <FormDialog title={m.others} action={m.end} isDangerous form={form} onClose={onClose}>
      <p>{m.othersWhy(count)}</p>
      <Checkbox label={m.everything} hint={m.everythingHint} name="everything" />
    </FormDialog>
  )
}
