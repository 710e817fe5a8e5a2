import { Link } from 'wouter'
import type { SettingsView } from '../../features/identity/settings/model'
import type { ConnectionSharingView, SharingConnectionView } from '../../features/people/connections/model'
import { PATTERNS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { Switch } from '../parts/Checkbox'
import { useStore } from '../store/use-store'
import { messages } from './connection-page.messages'
import { useSettings } from './data'
import { sharing } from './intents'
import { nameOf } from './names'
import { ProfileCard } from './ProfileCard'
import {
  isShown,
  ownValue,
  PROFILE_FIELDS,
  type ProfileField,
  seenProfile,
  shownValue,
  toggleOf,
} from './profile'
import { fieldTexts } from './profile.messages'

/** What the user shows one connection, field by field, beside what that person sees of it. */
export function SharingSwitches({ connection }: { readonly connection: SharingConnectionView }) {
  const m = useMessages(messages)
  const settings = useSettings()
  const change = useChange(connection)
  const name = nameOf(connection)
  const own = PROFILE_FIELDS.filter((field) => connection.sharing[toggleOf(field)] !== null)
  return (
    <section aria-labelledby="you-show" className="sharing">
      <div className="sharing-switches">
        <h2 id="you-show">{m.youShow(name)}</h2>
        <p>
          {m.youShowHint(name)} <Link href={`${PATTERNS.settings}/sharing`}>{m.forEverybody}</Link>
        </p>
        {PROFILE_FIELDS.map((field) => (
          <FieldSwitch
            key={field}
            field={field}
            connection={connection}
            settings={settings}
            onChange={change}
          />
        ))}
        {own.length > 1 && (
          <Button
            kind="quiet"
            onClick={({ currentTarget }) => {
              focusSwitch(currentTarget, '.sharing-switches')
              change(Object.fromEntries(own.map((field) => [toggleOf(field), null])), m.wasReset(name))
            }}
          >
            {m.resetAll}
          </Button>
        )}
      </div>
      <div className="sharing-preview">
        <h3 id="preview">{m.preview(name)}</h3>
        <div role="group" aria-labelledby="preview">
          <ProfileCard
            profile={seenProfile(settings, connection.sharing)}
            networkName={settings.network_name}
            nothing={m.previewNothing}
          />
        </div>
      </div>
    </section>
  )
}

/** A button that goes with what it does hands the focus to the first switch beside it. */
function focusSwitch(button: Element, within: string): void {
  button.closest(within)?.querySelector<HTMLElement>('[role=switch]')?.focus()
}

type SharingChange = (changes: Partial<ConnectionSharingView>, said: string) => void

/** The switch itself takes a change back, so that nothing is announced. */
function useChange(connection: SharingConnectionView): SharingChange {
  const store = useStore()
  return (changes, said) => void store.run(sharing(connection, changes, said))
}

interface FieldSwitchProps {
  readonly field: ProfileField
  readonly connection: SharingConnectionView
  readonly settings: SettingsView
  readonly onChange: SharingChange
}

function FieldSwitch({ field, connection, settings, onChange }: FieldSwitchProps) {
  const m = useMessages(messages)
  const names = useMessages(fieldTexts)
  const hint = useHint({ field, connection, settings })
  const name = nameOf(connection)
  const label = names[field]
  const isOwn = connection.sharing[toggleOf(field)] !== null
  const set = (shows: boolean | null) => onChange({ [toggleOf(field)]: shows }, m.changed(label, name))
  return (
    <div className="sharing-switch">
      <Switch
        label={label}
        hint={hint}
        checked={isShown(settings, connection.sharing, field)}
        onChange={set}
      />
      {isOwn && (
        <Button
          kind="quiet"
          aria-label={m.resetOf(label)}
          onClick={({ currentTarget }) => {
            focusSwitch(currentTarget, '.sharing-switch')
            set(null)
          }}
        >
          {m.reset}
        </Button>
      )}
    </div>
  )
}

/** Who sees what, and whether that is so for everybody. */
function useHint({ field, connection, settings }: Omit<FieldSwitchProps, 'onChange'>): string {
  const m = useMessages(messages)
  const locale = useLocale()
  const name = nameOf(connection)
  const value = ownValue(settings, field)
  const shows = isShown(settings, connection.sharing, field)
  const reach = connection.sharing[toggleOf(field)] === null ? m.asForAll : m.onlyHere(name)
  if (value === null) return `${shows ? m.empty(name) : m.emptyHidden} ${reach}`
  const sees = shows ? m.sees(name, shownValue(field, value, locale)) : m.seesNot(name)
  return `${sees} ${reach}`
}
