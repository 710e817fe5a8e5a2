import { type ReactNode, useState } from 'react'
import { useMessages } from '../messages/language'
import { SuggestField } from '../parts/SuggestField'
import { zoneNames, zonePlace } from '../time/zones'
import { eventTexts } from './texts'

interface ZoneFieldProps {
  readonly value: string
  readonly onChange: (zone: string) => void
  readonly hint: ReactNode
  readonly problem: string | undefined
}

const MOST = 40
const folded = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Finds a zone by its city. */
export function ZoneField({ value, onChange, hint, problem }: ZoneFieldProps) {
  const m = useMessages(eventTexts)
  const [typed, setTyped] = useState<string>()
  const sought = folded(typed ?? '')
  const found = zoneNames().filter((zone) => folded(zone).includes(sought))
  const settle = () => {
    const exact = found.find((zone) => folded(zone) === sought || folded(zonePlace(zone)) === sought)
    if (typed !== undefined && sought !== '') onChange(exact ?? typed)
    setTyped(undefined)
  }
  return (
    <SuggestField
      label={m.timeZone}
      name="timeZone"
      value={typed ?? value}
      options={found.slice(0, MOST).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      hint={hint}
      problem={problem}
      onChange={setTyped}
      onChoose={(zone) => {
        setTyped(undefined)
        onChange(zone)
      }}
      onBlur={settle}
    />
  )
}
