import { useState } from 'react'
import type { NewTokenView } from '../../features/identity/tokens/model'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Checkbox } from '../parts/Checkbox'
import { Field } from '../parts/Field'
import { Select } from '../parts/Select'
import { type FormState, useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { createToken } from './data'
import {
  areaName,
  AREAS,
  type AreaRight,
  daysOf,
  LIVES,
  MORE_SCOPES,
  opensSomething,
  RIGHTS,
  scopeMessages,
  scopesOf,
  type TokenKind,
  type TokenLife,
} from './token-scopes'

const messages = defineMessages({
  en: {
    app: 'New app password',
    assistant: 'New access for an assistant',
    token: 'New access token',
    create: 'Create',
    name: 'Name',
    appHint: 'The device that it is for, such as “Phone”.',
    assistantHint: 'The assistant that it is for, and the device that it runs on.',
    tokenHint: 'What it is for, such as “Backup script”.',
    nothing: 'It would open nothing. Choose at least one area.',
    ends: 'Expires after',
    days: (count: number) =>
      count >= 365
        ? `${count / 365} ${counted(count / 365, 'year', 'years')}`
        : `${count} ${counted(count, 'day', 'days')}`,
    never: 'Never',
  },
  de: {
    app: 'Neues App-Passwort',
    assistant: 'Neuer Zugang für einen Assistenten',
    token: 'Neues Zugriffstoken',
    create: 'Anlegen',
    name: 'Name',
    appHint: 'Das Gerät, für das es ist, etwa „Telefon“.',
    assistantHint: 'Der Assistent, für den er ist, und das Gerät, auf dem er läuft.',
    tokenHint: 'Wofür es ist, etwa „Sicherung“.',
    nothing: 'So würde es nichts öffnen. Bitte mindestens einen Bereich wählen.',
    ends: 'Läuft ab nach',
    days: (count) =>
      count >= 365
        ? `${count / 365} ${counted(count / 365, 'Jahr', 'Jahren')}`
        : `${count} ${counted(count, 'Tag', 'Tagen')}`,
    never: 'Nie',
  },
})

interface NewTokenDialogProps {
  readonly kind: TokenKind
  readonly onMade: (made: NewTokenView) => void
  readonly onClose: () => void
}

/** What a new token opens and for how long. */
export function NewTokenDialog({ kind, onMade, onClose }: NewTokenDialogProps) {
  const m = useMessages(messages)
  const form = useForm(
    async (values) => {
      const made = await createToken({
        name: values['name'] ?? '',
        scopes: scopesOf(kind, values),
        expires_in_days: daysOf(values['life']),
      })
      onClose()
      onMade(made)
    },
    (values): Readonly<Record<string, string>> =>
      opensSomething(scopesOf(kind, values)) ? {} : { [AREAS[0]]: m.nothing },
  )
  return (
    <FormDialog title={m[kind]} action={m.create} form={form} onClose={onClose}>
      <Field
        label={m.name}
        hint={m[`${kind}Hint`]}
        name="name"
        maxLength={100}
        autoComplete="off"
        required
        data-autofocus
        problem={form.problems['name']}
      />
      <AreaFields kind={kind} form={form} />
      <LifeField />
    </FormDialog>
  )
}

/** What the form opens as long as nobody has chosen. */
const AT_FIRST = {
  app: { calendars: 'write', tasks: 'write', people: 'write' },
  assistant: { calendars: 'write', tasks: 'write', people: 'read' },
  token: { calendars: 'none', tasks: 'none', people: 'none' },
} as const

function AreaFields({ kind, form }: { readonly kind: TokenKind; readonly form: FormState }) {
  const m = useMessages(scopeMessages)
  const [rights, setRights] = useState<Readonly<Record<(typeof AREAS)[number], AreaRight>>>(AT_FIRST[kind])
  return (
    <>
      {AREAS.map((area) => (
        <Select
          key={area}
          label={areaName(m, kind, area)}
          name={area}
          value={rights[area]}
          onChange={(right) => setRights({ ...rights, [area]: right })}
          options={RIGHTS.map((value) => ({ value, label: m[value] }))}
          problem={form.problems[area]}
        />
      ))}
      {kind === 'token' && (
        <div>
          {MORE_SCOPES.map((scope) => (
            <Checkbox key={scope} label={m[scope]} name={scope} />
          ))}
        </div>
      )}
    </>
  )
}

function LifeField() {
  const m = useMessages(messages)
  const [life, setLife] = useState<TokenLife>('365')
  return (
    <Select
      label={m.ends}
      name="life"
      value={life}
      onChange={setLife}
      options={LIVES.map((value) => ({
        value,
        label: value === 'never' ? m.never : m.days(Number(value)),
      }))}
    />
  )
}
