import { useState } from 'react'
import { readLockAfter, setLockAfter } from '../lock/idle'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Select } from '../parts/Select'

const messages = defineMessages({
  en: {
    title: 'This device',
    lockAfter: 'Lock this device’s screen when nobody touches it',
    never: 'Never',
    minutes: (count: number) => `After ${count} minutes`,
  },
  de: {
    title: 'Dieses Gerät',
    lockAfter: 'Bildschirm dieses Geräts sperren, wenn es niemand berührt',
    never: 'Nie',
    minutes: (count) => `Nach ${count} Minuten`,
  },
})

const MINUTES = [2, 5, 15, 60] as const

/** When this device locks its screen by itself. */
export function ScreenLock() {
  const m = useMessages(messages)
  const [after, setAfter] = useState(readLockAfter)
  const choose = (value: string) => {
    const minutes = value === '' ? undefined : Number(value)
    setLockAfter(minutes)
    setAfter(minutes)
  }
  return (
    <section aria-labelledby="lock-title">
      <h2 id="lock-title">{m.title}</h2>
      <Select
        label={m.lockAfter}
        value={after === undefined ? '' : String(after)}
        onChange={choose}
        options={[
          { value: '', label: m.never },
          ...MINUTES.map((count) => ({ value: String(count), label: m.minutes(count) })),
        ]}
      />
    </section>
  )
}
