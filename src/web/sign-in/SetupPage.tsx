import { useRef, useState } from 'react'
import { call } from '../api/call'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Select } from '../parts/Select'
import { useForm } from '../parts/use-form'
import { entered } from '../session/sign-in'
import { placeZone, savePlace, timeZones, type WeekStart, weekStartOf } from './device-place'
import { EnterCard } from './EnterCard'
import { NewPasswordField } from './NewPasswordField'
import { UsernameField } from './UsernameField'

const messages = defineMessages({
  en: {
    title: 'Welcome',
    lead: 'The first account can invite others and change every setting.',
    password: 'Password',
    timeZone: 'Time zone',
    weekStart: 'Weeks start on',
    monday: 'Monday',
    sunday: 'Sunday',
    create: 'Create account',
  },
  de: {
    title: 'Willkommen',
    lead: 'Das erste Konto kann andere einladen und alles einstellen.',
    password: 'Passwort',
    timeZone: 'Zeitzone',
    weekStart: 'Wochenbeginn',
    monday: 'Montag',
    sunday: 'Sonntag',
    create: 'Konto anlegen',
  },
})

/** The first account of a service that has none. */
export function SetupPage() {
  const m = useMessages(messages)
  const [username, setUsername] = useState('')
  const [zone, setZone] = useState(placeZone)
  const [weekStart, setWeekStart] = useState(() => weekStartOf(navigator.language))
  const isCreated = useRef(false)
  const form = useForm(async ({ password = '' }) => {
    // When only the settings were refused, the account exists by now.
    if (!isCreated.current) await call('POST', 'auth/setup', { body: { username, password } })
    isCreated.current = true
    await savePlace(zone, weekStart)
    await entered()
  })
  return (
    <EnterCard title={m.title} lead={m.lead}>
      <form {...form.props} className="enter-form">
        <FormAlert form={form} />
        <UsernameField form={form} onType={setUsername} />
        <NewPasswordField form={form} label={m.password} name="password" username={username} />
        <div className="enter-pair">
          <Select
            label={m.timeZone}
            name="time_zone"
            value={zone}
            onChange={setZone}
            options={timeZones().map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          />
          <Select<WeekStart>
            label={m.weekStart}
            name="first_day_of_week"
            value={weekStart}
            onChange={setWeekStart}
            options={[
              { value: '1', label: m.monday },
              { value: '0', label: m.sunday },
            ]}
          />
        </div>
        <SubmitButton form={form}>{m.create}</SubmitButton>
      </form>
    </EnterCard>
  )
}
