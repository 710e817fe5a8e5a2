import { Link } from 'wouter'
import type { SettingsView } from '../../features/identity/settings/model'
import { PATTERNS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Switch } from '../parts/Checkbox'
import { readDate } from '../time/days'
import { shortDate } from '../time/format'
import { useChangeSettings, useSettings } from './data'
import { messages as profile } from './profile.messages'
import { SettingsLayout } from './SettingsLayout'

const messages = defineMessages({
  en: {
    lead: (name: string) =>
      `Whoever you are connected with always sees your network name, ${name}. Of your profile they see what is on here.`,
    perPerson: 'For one person it can be different:',
    connections: 'Connections',
    accept: 'Accept connection requests',
    acceptOn: 'Whoever knows your network name can find you and ask to connect. You still decide.',
    acceptOff: 'Nobody finds you, and nobody can ask. Connections that exist stay.',
    seen: (value: string) => `Your connections see: ${value}`,
    unseen: (value: string) => `Nobody but you sees: ${value}`,
    empty: 'Your profile has none.',
    fields: 'What your connections see',
    birthday: 'Birthday',
  },
  de: {
    lead: (name) =>
      `Kontakte sehen immer den Netzwerknamen, ${name}. Vom Profil sehen sie, was hier eingeschaltet ist.`,
    perPerson: 'Für einzelne kann es anders sein:',
    connections: 'Kontakte',
    accept: 'Kontaktanfragen annehmen',
    acceptOn: 'Wer den Netzwerknamen kennt, kann ihn finden und anfragen. Die Entscheidung bleibt hier.',
    acceptOff: 'Niemand findet dieses Konto, niemand kann anfragen. Bestehende Kontakte bleiben.',
    seen: (value) => `Kontakte sehen: ${value}`,
    unseen: (value) => `Niemand sonst sieht: ${value}`,
    empty: 'Im Profil steht dazu nichts.',
    fields: 'Was Kontakte sehen',
    birthday: 'Geburtstag',
  },
})

/** What each switch shares, and what it is called. */
const SHARED = [
  ['share_preferred_name', 'preferred_name', 'preferred'],
  ['share_first_name', 'first_name', 'first'],
  ['share_last_name', 'last_name', 'last'],
  ['share_email', 'email', 'email'],
  ['share_phone', 'phone', 'phone'],
  ['share_mobile', 'mobile', 'mobile'],
  ['share_birthday', 'date_of_birth', 'birth'],
  ['share_address', 'address', 'address'],
  ['share_company', 'company', 'company'],
  ['share_job_title', 'job_title', 'job'],
] as const

/** What others see of the profile, unless it is different for one of them. */
export function SharingPage() {
  const m = useMessages(messages)
  const settings = useSettings()
  const change = useChangeSettings()
  return (
    <SettingsLayout page="sharing">
      <Switch
        label={m.accept}
        hint={settings.accept_connections ? m.acceptOn : m.acceptOff}
        checked={settings.accept_connections}
        onChange={(isOn) => change({ accept_connections: isOn }, m.accept)}
      />
      <section aria-labelledby="shared-fields">
        <h2 id="shared-fields">{m.fields}</h2>
        <p className="settings-lead">
          {m.lead(settings.network_name)} {m.perPerson}{' '}
          <Link href={PATTERNS.connections}>{m.connections}</Link>
        </p>
        {SHARED.map((row) => (
          <SharedField key={row[0]} row={row} settings={settings} />
        ))}
      </section>
    </SettingsLayout>
  )
}

interface SharedFieldProps {
  readonly row: (typeof SHARED)[number]
  readonly settings: SettingsView
}

function SharedField({ row: [toggle, field, text], settings }: SharedFieldProps) {
  const m = useMessages(messages)
  const names = useMessages(profile)
  const locale = useLocale()
  const change = useChangeSettings()
  const label = field === 'date_of_birth' ? m.birthday : names[text]
  const isShared = settings[toggle]
  const value = settings[field]
  const day = field === 'date_of_birth' && value !== null ? readDate(value) : undefined
  const shown = day ? shortDate(day, locale) : value?.replaceAll(/\s*\n\s*/g, ', ')
  const hint = shown == null || shown === '' ? m.empty : isShared ? m.seen(shown) : m.unseen(shown)
  return (
    <Switch
      label={label}
      hint={hint}
      checked={isShared}
      onChange={(isOn) => change({ [toggle]: isOn }, label)}
    />
  )
}
