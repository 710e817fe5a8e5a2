import { useState } from 'react'
import type { FieldTexts } from '../parts/FieldBox'
import { SuggestField } from '../parts/SuggestField'

interface TimeFieldProps extends FieldTexts {
  readonly name: string
  /** The saved time as `hh:mm`; empty when there is none. */
  readonly saved: string
}

const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const time = `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`
  return { value: time, label: time }
})

/** A time of day of a form, typed or chosen. */
export function TimeField({ saved, ...rest }: TimeFieldProps) {
  const [typed, setTyped] = useState(saved)
  const [before, setBefore] = useState(saved)
  if (saved !== before) {
    setBefore(saved)
    setTyped(saved)
  }
  return <SuggestField {...rest} value={typed} onChange={setTyped} options={HALF_HOURS} />
}
