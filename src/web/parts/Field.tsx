import type { ComponentProps } from 'react'
import { FieldBox, type FieldTexts } from './FieldBox'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'>, FieldTexts {}

/** One line of input with its label, its hint and what is wrong with it. */
export function Field({ label, hint, problem, ...rest }: FieldProps) {
  return (
    <FieldBox label={label} hint={hint} problem={problem}>
      {(ties) => <input {...rest} {...ties} className="input" />}
    </FieldBox>
  )
}
