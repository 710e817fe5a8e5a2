import { type ReactNode, useId } from 'react'

/** What every kind of field says around its input. */
export interface FieldTexts {
  readonly label: string
  /** A sentence below the field that says what is expected. */
  readonly hint?: ReactNode
  /** What is wrong, in a sentence; it takes the place of nothing. */
  readonly problem?: string | undefined
}

/** What ties an input to its texts. */
interface InputTies {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldBoxProps extends FieldTexts {
  readonly children: (ties: InputTies) => ReactNode
}

/** The label above an input, and its hint and what is wrong with it below. */
export function FieldBox({ label, hint, problem, children }: FieldBoxProps) {
  const id = useId()
  const describedBy = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`]
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem !== undefined || undefined,
        'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  )
}
