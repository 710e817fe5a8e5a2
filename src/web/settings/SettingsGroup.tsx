import { type ReactNode, useId } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { FormAlert, SubmitButton } from '../parts/Form'
import type { FormState } from '../parts/use-form'

const messages = defineMessages({ en: { save: 'Save' }, de: { save: 'Speichern' } })

interface SettingsGroupProps {
  readonly title: string
  readonly form: FormState
  readonly children: ReactNode
  /** Beside the button "Save". */
  readonly more?: ReactNode
}

/** Settings that are saved together, under a heading of their own. */
export function SettingsGroup({ title, form, children, more }: SettingsGroupProps) {
  const m = useMessages(messages)
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <form {...form.props} className="settings-form">
        <FormAlert form={form} />
        {children}
        <p className="actions">
          <SubmitButton form={form}>{m.save}</SubmitButton>
          {more}
        </p>
      </form>
    </section>
  )
}
