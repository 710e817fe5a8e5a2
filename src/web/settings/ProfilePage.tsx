import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Field } from '../parts/Field'
import { TextArea } from '../parts/TextArea'
import { useToday } from '../time/use-now'
import { textOf, useSettings, useSettingsForm } from './data'
import { messages } from './profile.messages'
import { SettingsGroup } from './SettingsGroup'
import { SettingsLayout } from './SettingsLayout'

/** Who the user is, in groups that are saved one by one. */
export function ProfilePage() {
  const m = useMessages(messages)
  return (
    <SettingsLayout page="profile">
      <p className="settings-lead">
        {m.lead} <Link href={PATTERNS.settingsSharing}>{m.toSharing}</Link>
      </p>
      <NameGroup />
      <IdentityGroup />
      <ContactGroup />
      <WorkGroup />
    </SettingsLayout>
  )
}

type TextName =
  'preferred_name' | 'first_name' | 'last_name' | 'phone' | 'mobile' | 'address' | 'company' | 'job_title'

/** A form of texts that may all be empty. */
function useTexts(names: readonly TextName[]) {
  const m = useMessages(messages)
  return useSettingsForm({
    read: (values) => Object.fromEntries(names.map((name) => [name, textOf(values[name])])),
    saved: m.saved,
  })
}

function NameGroup() {
  const m = useMessages(messages)
  const settings = useSettings()
  const form = useTexts(['preferred_name', 'first_name', 'last_name'])
  return (
    <SettingsGroup title={m.name} form={form}>
      <Field
        label={m.preferred}
        hint={m.preferredHint}
        name="preferred_name"
        maxLength={200}
        autoComplete="nickname"
        defaultValue={settings.preferred_name ?? ''}
        problem={form.problems['preferred_name']}
      />
      <div className="settings-pair">
        <Field
          label={m.first}
          name="first_name"
          maxLength={200}
          autoComplete="given-name"
          defaultValue={settings.first_name ?? ''}
          problem={form.problems['first_name']}
        />
        <Field
          label={m.last}
          name="last_name"
          maxLength={200}
          autoComplete="family-name"
          defaultValue={settings.last_name ?? ''}
          problem={form.problems['last_name']}
        />
      </div>
    </SettingsGroup>
  )
}

function IdentityGroup() {
  const m = useMessages(messages)
  const settings = useSettings()
  const today = useToday()
  const form = useSettingsForm({
    read: ({ network_name = '', email, date_of_birth }) => ({
      network_name: network_name.trim().toLowerCase(),
      email: textOf(email),
      date_of_birth: textOf(date_of_birth),
    }),
    saved: m.saved,
    // The service does not take back e-mail addresses and network names.
    canUndo: false,
  })
  return (
    <SettingsGroup title={m.identity} form={form}>
      <Field
        label={m.networkName}
        hint={m.networkNameHint}
        name="network_name"
        required
        minLength={3}
        maxLength={32}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={settings.network_name}
        problem={form.problems['network_name']}
      />
      <Field
        label={m.email}
        name="email"
        type="email"
        maxLength={254}
        autoComplete="email"
        defaultValue={settings.email ?? ''}
        problem={form.problems['email']}
      />
      <Field
        label={m.birth}
        name="date_of_birth"
        type="date"
        autoComplete="bday"
        min="1900-01-01"
        max={today.toString()}
        defaultValue={settings.date_of_birth ?? ''}
        problem={form.problems['date_of_birth']}
      />
    </SettingsGroup>
  )
}

function ContactGroup() {
  const m = useMessages(messages)
  const settings = useSettings()
  const form = useTexts(['phone', 'mobile', 'address'])
  return (
    <SettingsGroup title={m.contact} form={form}>
      <div className="settings-pair">
        <Field
          label={m.phone}
          name="phone"
          type="tel"
          maxLength={200}
          autoComplete="tel"
          defaultValue={settings.phone ?? ''}
          problem={form.problems['phone']}
        />
        <Field
          label={m.mobile}
          name="mobile"
          type="tel"
          maxLength={200}
          autoComplete="mobile tel"
          defaultValue={settings.mobile ?? ''}
          problem={form.problems['mobile']}
        />
      </div>
      <TextArea
        label={m.address}
        name="address"
        maxLength={500}
        autoComplete="street-address"
        defaultValue={settings.address ?? ''}
      />
    </SettingsGroup>
  )
}

function WorkGroup() {
  const m = useMessages(messages)
  const settings = useSettings()
  const form = useTexts(['company', 'job_title'])
  return (
    <SettingsGroup title={m.work} form={form}>
      <div className="settings-pair">
        <Field
          label={m.company}
          name="company"
          maxLength={200}
          autoComplete="organization"
          defaultValue={settings.company ?? ''}
          problem={form.problems['company']}
        />
        <Field
          label={m.job}
          name="job_title"
          maxLength={200}
          autoComplete="organization-title"
          defaultValue={settings.job_title ?? ''}
          problem={form.problems['job_title']}
        />
      </div>
    </SettingsGroup>
  )
}
