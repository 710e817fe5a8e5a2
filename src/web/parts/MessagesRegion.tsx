import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Icon } from './Icon'
import { announcements, dismiss, type ShownAnnouncement } from './messages-store'
import { topmostDialog } from './open-dialogs'

const messages = defineMessages({
  en: { region: 'Messages', undo: 'Undo', dismiss: 'Dismiss' },
  de: { region: 'Meldungen', undo: 'Rückgängig', dismiss: 'Schließen' },
})

const SHOWN_FOR_MS = 8000

/** Where messages appear, reached with F6. It stands inside the topmost dialog, so that they can be read and reached there too. */
export function MessagesRegion() {
  const m = useMessages(messages)
  const shown = useSyncExternalStore(announcements.subscribe, announcements.read)
  const dialog = useSyncExternalStore(topmostDialog.subscribe, topmostDialog.read)
  const [isHeld, setHeld] = useState(false)
  const isHidden = useIsHidden()
  const region = (
    <section
      className="messages"
      aria-label={m.region}
      data-region
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setHeld(false)}
    >
      {shown.map((each) => (
        <Message key={each.key} message={each} isHeld={isHeld || isHidden} />
      ))}
    </section>
  )
  return dialog ? createPortal(region, dialog) : region
}

function Message({ message, isHeld }: { readonly message: ShownAnnouncement; readonly isHeld: boolean }) {
  const m = useMessages(messages)
  const { key, text, undo, way, isError = false, stays = isError } = message
  // A screen reader hears what changes in a status, not what a new one begins with.
  const [said, say] = useState('')
  useEffect(() => say(text), [text])
  const leave = () => {
    returnFocus(key)
    dismiss(key)
  }
  useEffect(() => {
    if (isHeld || stays) return
    const timer = setTimeout(() => dismiss(key), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [isHeld, stays, key])
  return (
    <div className={isError ? 'message message-error' : 'message'} data-message={key}>
      <Icon name={isError ? 'problem' : 'done'} />
      <p role={isError ? 'alert' : 'status'}>{said}</p>
      {undo && (
        <Button
          kind="quiet"
          onClick={() => {
            leave()
            undo()
          }}
        >
          {m.undo}
        </Button>
      )}
      {way && (
        <Button
          kind="quiet"
          onClick={() => {
            leave()
            way.go()
          }}
        >
          {way.label}
        </Button>
      )}
      <Button kind="quiet" aria-label={m.dismiss} title={m.dismiss} onClick={leave}>
        <Icon name="close" />
      </Button>
    </div>
  )
}

/** A message that goes while it has the focus hands it to its neighbour, else to the page. */
function returnFocus(key: number): void {
  const own = document.querySelector(`[data-message="${key}"]`)
  if (!own?.contains(document.activeElement)) return
  const next = own.nextElementSibling ?? own.previousElementSibling
  const target =
    next?.querySelector('button') ??
    own.closest('dialog')?.querySelector('button') ??
    document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: true })
}

const subscribeToVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const useIsHidden = () => useSyncExternalStore(subscribeToVisibility, () => document.hidden)
