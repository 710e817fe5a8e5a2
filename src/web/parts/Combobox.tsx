import { lazy, Suspense } from 'react'
import { Field } from './Field'
import type { ComboboxProps } from './ComboboxList'

const loadList = () => import('./ComboboxList')
const ComboboxList = lazy(() => loadList().then((module) => ({ default: module.ComboboxList })))

/** A field that offers what matches while one types. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, problem, options, value } = props
  const shown = options.find((option) => option.value === value)?.label ?? value
  // Nobody can have the focus in what is about to be replaced.
  const waiting = <Field label={label} hint={hint} problem={problem} value={shown} disabled />
  return (
    <Suspense fallback={waiting}>
      <ComboboxList {...props} />
    </Suspense>
  )
}
