import type { ComboboxProps } from './ComboboxList'
import { fetched, useFetched } from './fetched'
import { Field } from './Field'
import { MissingNote, missingOf } from './Missing'

const list = fetched(() => import('./ComboboxList'))

/** A field that offers what matches while one types. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, problem, options, value } = props
  const shown = options.find((option) => option.value === value)?.label ?? value
  // Nobody can have the focus in what is about to be replaced.
  const waiting = <Field label={label} hint={hint} problem={problem} value={shown} disabled />
  const part = useFetched(list)
  if (part.is === 'there') return <part.value.ComboboxList {...props} />
  if (part.is === 'awaited') return waiting
  return (
    <>
      {waiting}
      <MissingNote {...missingOf(list, part.reason)} />
    </>
  )
}
