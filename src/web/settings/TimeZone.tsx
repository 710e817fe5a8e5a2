import { useState } from 'react'
import { ZoneField } from '../events/ZoneField'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { placeZone } from '../sign-in/device-place'
import { useStore } from '../store/use-store'
import { zoneNames } from '../time/zones'
import { messages } from './calendar-settings.messages'
import { useChangeSettings, useSettings } from './data'

/** The zone in which the user reads all times. */
export function TimeZone() {
  const m = useMessages(messages)
  const { time_zone: zone } = useSettings()
  const { windows } = useStore()
  const change = useChangeSettings()
  const [unread, setUnread] = useState<string>()
  const here = placeZone()
  const save = async (chosen: string) => {
    if (chosen !== 'UTC' && !zoneNames().includes(chosen)) return setUnread(chosen)
    setUnread(undefined)
    if (chosen === zone) return
    await change({ time_zone: chosen }, m.zone).done
    // Months begin at other moments now.
    windows.doubt()
    windows.refresh()
  }
  return (
    <>
      <ZoneField
        value={unread ?? zone ?? ''}
        onChange={(chosen) => void save(chosen)}
        hint={zone === null ? m.zoneUnset(here) : m.zoneHint}
        problem={unread === undefined ? undefined : m.unreadZone}
      />
      {zone !== here && (
        <p className="actions">
          {zone !== null && m.zoneHere(here)}
          <Button onClick={() => void save(here)}>{m.useHere(here)}</Button>
        </p>
      )}
    </>
  )
}
