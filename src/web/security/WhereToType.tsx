import { useState } from 'react'
import type { TokenView } from '../../features/identity/tokens/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Select } from '../parts/Select'

const messages = defineMessages({
  en: {
    where: 'Where to type it',
    iphone: 'iPhone, iPad',
    mac: 'Mac',
    android: 'Android, with DAVx5',
    thunderbird: 'Thunderbird',
    gnome: 'GNOME',
    iphoneCalendars:
      'Calendars: Settings → Apps → Calendar → Calendar Accounts → Add Account → Other → Add CalDAV Account. Todo lists and reminders come to Reminders with it.',
    iphoneContacts:
      'Contacts: Settings → Apps → Contacts → Contacts Accounts → Add Account → Other → Add CardDAV Account.',
    server: (host: string) => `The server is ${host}, without the rest of the address.`,
    macCalendars: 'Calendars: Calendar → Add Account → Other CalDAV Account. Account type: Manual.',
    macContacts:
      'Contacts: Contacts → Settings → Accounts → + → Other Contacts Account → CardDAV. Account type: Manual.',
    androidLogin: 'Add account → Login with URL and user name. The address is the base URL.',
    androidChoose: 'Then choose what is to sync, on the tabs CalDAV and CardDAV.',
    thunderbirdCalendars:
      'Calendars: New Calendar → On the Network → Find Calendars. The address is the location.',
    thunderbirdContacts: 'Contacts: Address Book → New Address Book → Add CardDAV Address Book.',
    gnomeAccount: 'Settings → Online Accounts → Calendar, Contacts and Files.',
  },
  de: {
    where: 'Wo es eingegeben wird',
    iphone: 'iPhone, iPad',
    mac: 'Mac',
    android: 'Android, mit DAVx5',
    thunderbird: 'Thunderbird',
    gnome: 'GNOME',
    iphoneCalendars:
      'Kalender: Einstellungen → Apps → Kalender → Kalenderaccounts → Account hinzufügen → Andere → CalDAV-Account hinzufügen. Aufgabenlisten und Erinnerungen erscheinen damit in „Erinnerungen“.',
    iphoneContacts:
      'Kontakte: Einstellungen → Apps → Kontakte → Kontakteaccounts → Account hinzufügen → Andere → CardDAV-Account hinzufügen.',
    server: (host) => `Der Server ist ${host}, ohne den Rest der Adresse.`,
    macCalendars: 'Kalender: Kalender → Account hinzufügen → Anderer CalDAV-Account. Accounttyp: Manuell.',
    macContacts:
      'Kontakte: Kontakte → Einstellungen → Accounts → + → Anderer Kontakte-Account → CardDAV. Accounttyp: Manuell.',
    androidLogin: 'Konto hinzufügen → Mit URL und Benutzername anmelden. Die Adresse ist die Basis-URL.',
    androidChoose: 'Danach auf den Reitern CalDAV und CardDAV wählen, was abgeglichen wird.',
    thunderbirdCalendars:
      'Kalender: Neuer Kalender → Im Netzwerk → Kalender suchen. Die Adresse kommt in dieses Feld.',
    thunderbirdContacts: 'Kontakte: Adressbuch → Neues Adressbuch → CardDAV-Adressbuch hinzufügen.',
    gnomeAccount: 'Einstellungen → Online-Konten → Kalender, Kontakte und Dateien.',
  },
})

const DEVICES = ['iphone', 'mac', 'android', 'thunderbird', 'gnome'] as const
type TypingDevice = (typeof DEVICES)[number]

interface WhereToTypeProps {
  readonly address: string
  readonly scopes: TokenView['scopes']
}

/** The way to the form on each kind of device, as in `deploy/phones.md`. */
export function WhereToType({ address, scopes }: WhereToTypeProps) {
  const m = useMessages(messages)
  const [device, choose] = useState<TypingDevice>('iphone')
  const syncsContacts = scopes.some((scope) => scope.startsWith('people:'))
  const syncsCalendars = scopes.some((scope) => /^(calendars|tasks):/.test(scope))
  const steps: Readonly<Record<TypingDevice, ReadonlyArray<string | false>>> = {
    iphone: [
      syncsCalendars && m.iphoneCalendars,
      syncsContacts && m.iphoneContacts,
      m.server(new URL(address).host),
    ],
    mac: [syncsCalendars && m.macCalendars, syncsContacts && m.macContacts],
    android: [m.androidLogin, m.androidChoose],
    thunderbird: [syncsCalendars && m.thunderbirdCalendars, syncsContacts && m.thunderbirdContacts],
    gnome: [m.gnomeAccount],
  }
  return (
    <div className="where-to-type">
      <Select
        label={m.where}
        value={device}
        onChange={choose}
        options={DEVICES.map((value) => ({ value, label: m[value] }))}
      />
      <ul>{steps[device].map((step) => step !== false && <li key={step}>{step}</li>)}</ul>
    </div>
  )
}
