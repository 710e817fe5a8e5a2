import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { announce } from '../parts/messages-store'
import { useReload } from '../parts/use-reload'
import { outdated } from '../service-worker/register'

const messages = defineMessages({
  en: { ready: 'A new version of Organiser is ready.', reload: 'Reload' },
  de: { ready: 'Eine neue Version von Organiser ist bereit.', reload: 'Neu laden' },
})

/** Says once that the device has a newer build than this page; what is open goes on with the one that it has. */
export function UpdateNote() {
  const m = useMessages(messages)
  const isOutdated = useSyncExternalStore(outdated.subscribe, outdated.read)
  const reload = useEffectEvent(useReload())
  useEffect(() => {
    if (isOutdated) announce({ text: m.ready, stays: true, way: { label: m.reload, go: () => reload() } })
  }, [isOutdated, m])
  return null
}
