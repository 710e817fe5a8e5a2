import { useId } from 'react'
import type { Option } from './Select'

interface RadioGroupProps<V extends string> {
  readonly label: string
  /** For groups whose values say what they are. */
  readonly hidesLabel?: boolean
  readonly options: ReadonlyArray<Option<V>>
  readonly value: V
  readonly onChange: (value: V) => void
  /** `segmented` stands in one line, for two to four short values. */
  readonly look?: 'list' | 'segmented'
}

/** One of a few values, all of them visible. */
export function RadioGroup<V extends string>(props: RadioGroupProps<V>) {
  const { label, options, value, onChange, look = 'list', hidesLabel = false } = props
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={`${id}-label`} className={`radios radios-${look}`}>
      <span id={`${id}-label`} className={hidesLabel ? 'visually-hidden' : 'radios-label'}>
        {label}
      </span>
      <div className="radios-options">
        {options.map((option) => (
          <label key={option.value} className="radio">
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </div>
  )
}
