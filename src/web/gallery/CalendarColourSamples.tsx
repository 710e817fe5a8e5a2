import { calendarColours } from '../styles/calendar-colours'
import { useSampleText } from './texts'

const HEXES = [
  '#000000',
  '#1e3a8a',
  '#3b82f6',
  '#06b6d4',
  '#16a34a',
  '#a3e635',
  '#facc15',
  '#f97316',
  '#ef4444',
  '#ec4899',
  '#a855f7',
  '#78716c',
  '#ffffff',
]

export function CalendarColourSamples() {
  const t = useSampleText()
  return (
    <div className="gallery-columns">
      {HEXES.map((hex) => (
        <div key={hex} className="tinted" style={calendarColours(hex)}>
          {t(`Lunch with Sam, ${hex}`)}
        </div>
      ))}
    </div>
  )
}
