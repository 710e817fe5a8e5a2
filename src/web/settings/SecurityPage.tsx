import { useState } from 'react'
import { readLockAfter, setLockAfter } from '../lock/idle'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Select } from '../parts/Select'
import { SettingsLayout } from './SettingsLayout'

const messages = defineMessages({
  en: {
    lockAfter: 'Lock this device’s screen when nobody touches it',
    never: 'Never',
    minutes: (count: number) => `After ${count} minutes`,
  },
  de: {
    lockAfter: 'Bildschirm dieses Geräts sperren, wenn es niemand berührt',
    never: 'Nie',
    minutes: (count) => `Nach ${count} Minuten`,
  },
})

const MINUTES = [2, 5, 15, 60] as const

export function SecurityPage() {
  const m = useMessages(messages)
  const [after, setAfter] = useState(readLockAfter)
  const choose = (value: string) => {
    const minutes = value === '' ? undefined : Number(value)
    setLockAfter(minutes)
    setAfter(minutes)
  }
  return (
    <SettingsLayout page="security">
      <Select
        label={m.lockAfter}
        value={after === undefined ? '' : String(after)}
        onChange={choose}
        options={[
          { value: '', label: m.never },
          ...MINUTES.map((count) => ({ value: String(count), label: m.minutes(count) })),
        ]}
      />
    </SettingsLayout>
  )
}
