import type { ReactNode } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button, type ButtonProps } from './Button'
import { RequestId } from './RequestId'
import { type FormState, nameOf } from './use-form'

const messages = defineMessages({
  en: { others: 'Not accepted:' },
  de: { others: 'Nicht angenommen:' },
})

/** What went wrong with a form as a whole, and with fields that it does not show. It stands in the page before it has a text. */
export function FormAlert({ form, children }: { readonly form: FormState; readonly children?: ReactNode }) {
  return (
    <div role="alert" className="form-alert">
      {form.refusal ? <Told form={form} /> : children}
    </div>
  )
}

function Told({ form: { refusal, problems } }: { readonly form: FormState }) {
  const m = useMessages(messages)
  const words = useRefusals()
  if (!refusal) return null
  const others = refusal.errors.filter(({ field }) => !(nameOf(field) in problems))
  if (refusal.errors.length > 0 && others.length === 0) return null
  if (others.length === 0)
    return (
      <>
        <p>{words.sentence(refusal)}</p>
        <RequestId refusal={refusal} />
      </>
    )
  return (
    <>
      <p>{m.others}</p>
      <ul>
        {others.map(({ field, message }) => (
          <li key={field}>
            <code>{nameOf(field)}</code> {words.problem(message)}
          </li>
        ))}
      </ul>
    </>
  )
}

interface SubmitProps extends Omit<ButtonProps, 'type' | 'kind' | 'form'> {
  readonly form: FormState
  /** `danger` where it destroys. */
  readonly kind?: 'primary' | 'danger'
  /** The form's own id, when the button stands outside it. */
  readonly formId?: string
}

/** Sends the form. While the service asks for patience it counts the seconds, and stays where the focus is. */
export function SubmitButton({ form, formId, kind = 'primary', children, ...rest }: SubmitProps) {
  return (
    <Button {...rest} type="submit" form={formId} kind={kind} isBusy={form.isBusy || form.waitSeconds > 0}>
      {children}
      {form.waitSeconds > 0 && (
        <span className="countdown" aria-hidden="true">
          {form.waitSeconds}
        </span>
      )}
    </Button>
  )
}
