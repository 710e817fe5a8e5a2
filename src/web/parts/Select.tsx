import type { ComponentProps } from 'react'
import { FieldBox, type FieldTexts } from './FieldBox'
import { Icon } from './Icon'

/** One of several values, with the text that a person reads. */
export interface Option<V extends string = string> {
  readonly value: V
  readonly label: string
}

interface SelectProps<V extends string>
  extends Omit<ComponentProps<'select'>, 'id' | 'className' | 'children' | 'value' | 'onChange'>, FieldTexts {
  readonly options: ReadonlyArray<Option<V>>
  readonly value: V
  readonly onChange: (value: V) => void
}

/** A choice from a short list, by the browser's own list. For more than some twenty values take `Combobox`. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, hint, problem, options, value, onChange, ...rest } = props
  return (
    <FieldBox label={label} hint={hint} problem={problem}>
      {(ties) => (
        <span className="select">
          <select
            {...rest}
            {...ties}
            className="input"
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value)
              if (chosen) onChange(chosen.value)
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </span>
      )}
    </FieldBox>
  )
}
