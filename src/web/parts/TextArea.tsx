import type { ComponentProps } from 'react'
import { FieldBox, type FieldTexts } from './FieldBox'

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>, FieldTexts {}

/** Several lines of input; the field grows with its text. */
export function TextArea({ label, hint, problem, rows = 3, ...rest }: TextAreaProps) {
  return (
    <FieldBox label={label} hint={hint} problem={problem}>
      {(ties) => <textarea {...rest} {...ties} rows={rows} className="input text-area" />}
    </FieldBox>
  )
}
