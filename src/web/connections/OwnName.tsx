import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Switch } from '../parts/Checkbox'
import { CopyButton } from '../parts/CopyButton'
import { useStore } from '../store/use-store'
import { useSettings } from './data'
import { acceptingConnections } from './intents'

const messages = defineMessages({
  en: {
    title: 'Your network name',
    about:
      'Others find you by this name, which they type exactly. It is not the name with which you sign in. Your connections always see it.',
    what: 'network name',
    change: 'Change it',
    accept: 'Accept connection requests',
    on: 'Whoever knows your network name can find you and ask to connect. You still decide.',
    off: 'Nobody finds you, and nobody can ask. Connections that exist stay.',
  },
  de: {
    title: 'Eigener Netzwerkname',
    about:
      'Unter diesem Namen ist das Konto zu finden, wenn ihn jemand genau so eintippt. Es ist nicht der Name zum Anmelden. Kontakte sehen ihn immer.',
    what: 'Netzwerkname',
    change: 'Ändern',
    accept: 'Kontaktanfragen annehmen',
    on: 'Wer den Netzwerknamen kennt, kann ihn finden und anfragen. Die Entscheidung bleibt hier.',
    off: 'Niemand findet dieses Konto, niemand kann anfragen. Bestehende Kontakte bleiben.',
  },
})

/** The name by which others find the user, and whether they do. */
export function OwnName() {
  const m = useMessages(messages)
  const store = useStore()
  const settings = useSettings()
  const { network_name: name, accept_connections: accepts } = settings
  return (
    <section aria-labelledby="own-name">
      <h2 id="own-name">{m.title}</h2>
      <p className="own-name">
        <code>{name}</code>
        <CopyButton text={name} what={m.what} />
        <Link href={`${PATTERNS.settings}/profile`}>{m.change}</Link>
      </p>
      <p className="field-hint">{m.about}</p>
      <Switch
        label={m.accept}
        hint={accepts ? m.on : m.off}
        checked={accepts}
        onChange={(isOn) => store.run(acceptingConnections(settings, isOn, m.accept))}
      />
    </section>
  )
}
