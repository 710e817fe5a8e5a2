import { useId } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { calendarColours } from '../styles/calendar-colours'

const messages = defineMessages({
  en: {
    colour: 'Colour', none: 'None', green: 'Green', blue: 'Blue', violet: 'Violet', pink: 'Pink', red: 'Red',
    orange: 'Orange', yellow: 'Yellow', grey: 'Grey', own: 'As it is',
  },
  de: {
    colour: 'Farbe', none: 'Keine', green: 'Grün', blue: 'Blau', violet: 'Violett', pink: 'Rosa', red: 'Rot',
    orange: 'Orange', yellow: 'Gelb', grey: 'Grau', own: 'Wie bisher',
  },
}) // prettier-ignore

const PALETTE = [
  ['green', '#2f8f5b'],
  ['blue', '#3b82f6'],
  ['violet', '#7c5cd6'],
  ['pink', '#d6579b'],
  ['red', '#d64545'],
  ['orange', '#d9692b'],
  ['yellow', '#c79a1b'],
  ['grey', '#78787d'],
] as const

interface ColourFieldProps {
  /** As #rrggbb; empty for none. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One of a few colours, or none. A colour that programs chose stays until somebody chooses another one. */
export function ColourField({ value, onChange }: ColourFieldProps) {
  const m = useMessages(messages)
  const id = useId()
  const isKnown = value === '' || PALETTE.some(([, colour]) => colour === value)
  const choices = [['none', ''] as const, ...PALETTE, ...(isKnown ? [] : [['own', value] as const])]
  return (
    <div role="radiogroup" aria-labelledby={id} className="radios">
      <span id={id} className="radios-label">
        {m.colour}
      </span>
      <div className="swatches">
        {choices.map(([name, colour]) => (
          <input
            key={name}
            type="radio"
            name={id}
            aria-label={m[name]}
            title={m[name]}
            className="swatch"
            style={colour === '' ? undefined : calendarColours(colour)}
            checked={colour === value}
            onChange={() => onChange(colour)}
          />
        ))}
      </div>
    </div>
  )
}
