import { useId } from 'react'
import { Link } from 'wouter'
import { pathOf } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { useCalendars } from '../calendars/data'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Switch } from '../parts/Checkbox'
import { useDeviceCopy } from '../store/use-store'
import { ExportEverything } from './ExportEverything'
import { SettingsLayout } from './SettingsLayout'

const messages = defineMessages({
  en: {
    copy: 'Keep a copy on this device',
    copyHint:
      'The calendar then shows without a network too. The copy is deleted when you sign out. Turn it on only on a device that is yours.',
    everything: 'Everything',
    everythingAbout:
      'All that your account owns, as one JSON file: calendars, events, todos, projects, people, settings. Passwords and other secrets are not in it.',
    files: 'For other programs',
    calendar: (name: string) => `${name} as a calendar file (.ics)`,
    people: 'All people as vCards (.vcf)',
    deleted: 'What was deleted or changed',
    deletedAbout:
      'What you delete goes to the trash, which says for each thing when it is gone for good: after 30 days, unless whoever runs the service chose another time. For as long, changes can be undone.',
    trash: 'Trash',
    changes: 'Recent changes',
  },
  de: {
    copy: 'Kopie auf diesem Gerät behalten',
    copyHint:
      'Der Kalender ist dann auch ohne Netz zu sehen. Beim Abmelden wird die Kopie gelöscht. Nur auf einem eigenen Gerät einschalten.',
    everything: 'Alles',
    everythingAbout:
      'Alles, was zum Konto gehört, als eine JSON-Datei: Kalender, Termine, Aufgaben, Projekte, Personen, Einstellungen. Passwörter und andere Geheimnisse sind nicht dabei.',
    files: 'Für andere Programme',
    calendar: (name) => `${name} als Kalenderdatei (.ics)`,
    people: 'Alle Personen als vCards (.vcf)',
    deleted: 'Gelöschtes und Geändertes',
    deletedAbout:
      'Gelöschtes kommt in den Papierkorb. Dort steht, wann es endgültig verschwindet: nach 30 Tagen, wenn der Betrieb des Dienstes nichts anderes festgelegt hat. So lange lassen sich auch Änderungen zurücknehmen.',
    trash: 'Papierkorb',
    changes: 'Letzte Änderungen',
  },
})

/** What this device keeps, what can be taken along, and what can be brought back. */
export function DataPage() {
  const m = useMessages(messages)
  const id = useId()
  const [hasCopy, keepCopy] = useDeviceCopy()
  return (
    <SettingsLayout page="data">
      <Switch label={m.copy} hint={m.copyHint} checked={hasCopy} onChange={(wants) => void keepCopy(wants)} />
      <section aria-labelledby={`${id}-everything`}>
        <h2 id={`${id}-everything`}>{m.everything}</h2>
        <p>{m.everythingAbout}</p>
        <ExportEverything />
      </section>
      <Files />
      <section aria-labelledby={`${id}-deleted`}>
        <h2 id={`${id}-deleted`}>{m.deleted}</h2>
        <p>{m.deletedAbout}</p>
        <p className="actions">
          <Link href={PATTERNS.trash}>{m.trash}</Link>
          <Link href={PATTERNS.recentChanges}>{m.changes}</Link>
        </p>
      </section>
    </SettingsLayout>
  )
}

function Files() {
  const m = useMessages(messages)
  const id = useId()
  const own = useCalendars()?.filter(({ access, is_system }) => access === 'owner' && !is_system)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.files}</h2>
      <ul className="calendar-links">
        {own?.map((calendar) => (
          <li key={calendar.id}>
            <a href={`/api/${pathOf`calendars/${calendar.id}/export`}`} download>
              {m.calendar(calendar.name)}
            </a>
          </li>
        ))}
        <li>
          <a href="/api/people/export" download>
            {m.people}
          </a>
        </li>
      </ul>
    </section>
  )
}
