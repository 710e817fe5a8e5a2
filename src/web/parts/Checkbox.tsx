import { type ComponentProps, type ReactNode, useId } from 'react'

interface CheckProps extends Omit<
  ComponentProps<'input'>,
  'id' | 'className' | 'type' | 'role' | 'onChange'
> {
  readonly label: string
  /** A sentence below the label that says what follows from it. */
  readonly hint?: ReactNode
  readonly onChange?: (isChecked: boolean) => void
}

interface TickProps extends CheckProps {
  readonly kind: 'checkbox' | 'switch'
}

function Tick({ kind, label, hint, onChange, ...rest }: TickProps) {
  const id = useId()
  return (
    <div className="check">
      <input
        {...rest}
        id={id}
        type="checkbox"
        role={kind === 'switch' ? 'switch' : undefined}
        className={kind}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** A choice that is saved with its form. */
export function Checkbox(props: CheckProps) {
  return <Tick {...props} kind="checkbox" />
}

/** A setting that holds as soon as it is turned. */
export function Switch(props: CheckProps) {
  return <Tick {...props} kind="switch" />
}
