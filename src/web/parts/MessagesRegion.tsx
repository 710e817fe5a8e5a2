import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Icon } from './Icon'
import { announcements, dismiss, type ShownAnnouncement, isStaying } from './messages-store'
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
  const { key, text, isError = false, waits } = message
  // A screen reader hears what changes in a status, not what a new one begins with.
  const [said, say] = useState('')
  useEffect(() => say(text), [text])
  const focus = useHandingOn(key)
  const remains = isStaying(message)
  useEffect(() => {
    if (isHeld || remains) return
    const timer = setTimeout(() => dismiss(key), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [isHeld, remains, key])
  return (
    <div
      className={isError ? 'message message-error' : 'message'}
      data-message={key}
      data-waits={waits !== undefined || undefined}
      data-stays={remains || undefined}
      {...focus}
    >
      <Icon name={waits?.icon ?? (isError ? 'problem' : 'done')} />
      <p role={isError ? 'alert' : 'status'}>{said}</p>
      <Buttons message={message} />
    </div>
  )
}

function Buttons({ message: { key, undo, way, waits, onDismiss } }: { readonly message: ShownAnnouncement }) {
  const m = useMessages(messages)
  const leaving = (then: (() => void) | undefined) => () => {
    dismiss(key)
    then?.()
  }
  return (
    <>
      {undo && (
        <Button kind="quiet" onClick={leaving(undo)}>
          {m.undo}
        </Button>
      )}
      {way && (
        <Button kind="quiet" onClick={leaving(way.go)}>
          {way.label}
        </Button>
      )}
      {waits?.buttons}
      <Button kind="quiet" aria-label={m.dismiss} title={m.dismiss} onClick={leaving(onDismiss)}>
        <Icon name="close" />
      </Button>
    </>
  )
}

/** A message that goes while it has the focus, or its own menu has, hands it to its neighbour, else to the page. */
function useHandingOn(key: number) {
  const isHeld = useRef(false)
  useLayoutEffect(
    () => () => {
      if (!isHeld.current) return
      const target = neighbourOf(key)
      target?.focus({ preventScroll: true })
      // A menu that closes gives the focus back to a button that is gone.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => isFocusLost() && target?.focus({ preventScroll: true })),
      )
    },
    [key],
  )
  return {
    onFocus: () => {
      isHeld.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) isHeld.current = false
    },
  }
}

const isFocusLost = () => document.activeElement === document.body

function neighbourOf(key: number): HTMLElement | null | undefined {
  const own = document.querySelector(`[data-message="${key}"]`)
  const next = own?.nextElementSibling ?? own?.previousElementSibling
  const near = next?.querySelector('button') ?? own?.closest('dialog')?.querySelector('button')
  return near ?? document.querySelector<HTMLElement>('main h1')
}

const subscribeToVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const useIsHidden = () => useSyncExternalStore(subscribeToVisibility, () => document.hidden)
