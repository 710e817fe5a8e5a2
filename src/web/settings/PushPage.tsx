import { useId } from 'react'
import { useMessages } from '../messages/language'
import { Checkbox, Switch } from '../parts/Checkbox'
import { Field } from '../parts/Field'
import { PasswordField } from '../parts/PasswordField'
import { Select } from '../parts/Select'
import { useChangeSettings, useSettings, useSettingsForm, textOf } from './data'
import { EventLead } from './EventLead'
import { PushDeliveries } from './PushDeliveries'
import { messages } from './push.messages'
import { leadMessages } from './reminder-words'
import { SettingsGroup } from './SettingsGroup'
import { SettingsLayout } from './SettingsLayout'
import { TestMessage } from './TestMessage'

/** Messages to phones by way of an ntfy server: where to, about what, when, and what became of the last ones. */
export function PushPage() {
  const m = useMessages(messages)
  const { ntfy_enabled: isOn, ntfy_server_url: server, ntfy_topic: topic } = useSettings()
  const change = useChangeSettings()
  const hasTarget = server !== null && topic !== null
  return (
    <SettingsLayout page="push">
      <p className="settings-lead">{m.lead}</p>
      <Switch
        label={m.enabled}
        hint={isOn && !hasTarget ? m.noTarget : m.enabledHint}
        checked={isOn}
        onChange={(wants) => change({ ntfy_enabled: wants }, m.enabled)}
      />
      <Target />
      <TestMessage hasTarget={hasTarget} />
      <Kinds />
      <Leads />
      <Times />
      <PushDeliveries />
    </SettingsLayout>
  )
}

function Target() {
  const m = useMessages(messages)
  const settings = useSettings()
  const form = useSettingsForm({
    read: ({ ntfy_server_url, ntfy_topic, ntfy_auth_token = '', no_token }) => ({
      ntfy_server_url: textOf(ntfy_server_url),
      ntfy_topic: textOf(ntfy_topic),
      ...(no_token !== undefined && { ntfy_auth_token: null }),
      ...(ntfy_auth_token !== '' && { ntfy_auth_token }),
    }),
    saved: m.savedTarget,
    // The service keeps no earlier target.
    canUndo: false,
  })
  return (
    <SettingsGroup title={m.target} form={form}>
      <Field
        label={m.server}
        hint={m.serverHint}
        name="ntfy_server_url"
        type="url"
        inputMode="url"
        maxLength={200}
        placeholder={m.serverExample}
        defaultValue={settings.ntfy_server_url ?? ''}
        problem={form.problems['ntfy_server_url']}
      />
      <Field
        label={m.topic}
        hint={m.topicHint}
        name="ntfy_topic"
        maxLength={64}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={settings.ntfy_topic ?? ''}
        problem={form.problems['ntfy_topic']}
      />
      <PasswordField
        label={m.token}
        hint={settings.ntfy_has_token ? m.tokenStored : m.tokenHint}
        name="ntfy_auth_token"
        maxLength={200}
        autoComplete="new-password"
        problem={form.problems['ntfy_auth_token']}
      />
      {settings.ntfy_has_token && <Checkbox label={m.noToken} name="no_token" />}
    </SettingsGroup>
  )
}

function Kinds() {
  const m = useMessages(messages)
  const id = useId()
  const settings = useSettings()
  const change = useChangeSettings()
  const kinds = [
    ['ntfy_events', m.events, m.eventsHint],
    ['ntfy_reminders', m.reminders, m.remindersHint],
    ['ntfy_todos', m.todos, undefined],
    ['ntfy_projects', m.projects, undefined],
    ['ntfy_connections', m.connections, undefined],
  ] as const
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.about}</h2>
      {kinds.map(([name, label, hint]) => (
        <Switch
          key={name}
          label={label}
          hint={hint}
          checked={settings[name]}
          onChange={(isOn) => change({ [name]: isOn }, label)}
        />
      ))}
    </section>
  )
}

const USUAL_DAYS = [0, 1, 2, 3, 5, 7, 14, 30]

function Leads() {
  const m = useMessages(messages)
  const words = useMessages(leadMessages)
  const id = useId()
  const settings = useSettings()
  const change = useChangeSettings()
  const leads = [
    ['ntfy_todo_lead_days', m.todoLead],
    ['ntfy_project_lead_days', m.projectLead],
  ] as const
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.ahead}</h2>
      <EventLead />
      {leads.map(([name, label]) => (
        <Select
          key={name}
          label={label}
          value={String(settings[name])}
          onChange={(value) => change({ [name]: Number(value) }, label)}
          options={[...new Set([...USUAL_DAYS, settings[name]])]
            .toSorted((a, b) => a - b)
            .map((days) => ({ value: String(days), label: days === 0 ? words.onDay : words.onDayAnd(days) }))}
        />
      ))}
    </section>
  )
}

function Times() {
  const m = useMessages(messages)
  const settings = useSettings()
  const form = useSettingsForm({
    read: ({ notify_day_at, quiet_from, quiet_to }) => ({
      ...(notify_day_at !== undefined && { notify_day_at }),
      quiet_from: textOf(quiet_from),
      quiet_to: textOf(quiet_to),
    }),
    saved: m.savedTimes,
  })
  return (
    <SettingsGroup title={m.times} form={form}>
      <Field
        label={m.dayAt}
        hint={m.dayAtHint}
        name="notify_day_at"
        type="time"
        required
        defaultValue={settings.notify_day_at}
        problem={form.problems['notify_day_at']}
      />
      <div className="settings-pair">
        <Field
          label={m.quietFrom}
          name="quiet_from"
          type="time"
          defaultValue={settings.quiet_from ?? ''}
          problem={form.problems['quiet_from']}
        />
        <Field
          label={m.quietTo}
          name="quiet_to"
          type="time"
          defaultValue={settings.quiet_to ?? ''}
          problem={form.problems['quiet_to']}
        />
      </div>
      <p className="field-hint">{m.quietHint}</p>
    </SettingsGroup>
  )
}
