import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Icon } from './Icon'
import { isOpen, noteClosed, noteOpened } from './open-dialogs'

const messages = defineMessages({ en: { close: 'Close' }, de: { close: 'Schließen' } })

interface DialogProps {
  readonly title: string
  /** Called by Escape and by the button "Close". The owner takes the dialog away. */
  readonly onClose: () => void
  /** Buttons at the end, the one that does what the title says last. */
  readonly footer?: ReactNode
  readonly children: ReactNode
  /** `wide` for lists and comparisons. */
  readonly size?: 'normal' | 'wide'
  /** It has nothing but text, which takes the focus so that keys scroll it. */
  readonly isToRead?: boolean
  /**
   * On a wide window it stands beside the element that is marked with `data-beside`, which is seen all the while, and a press
   * elsewhere closes it.
   */
  readonly isBeside?: boolean
}

/**
 * A modal dialog, on phones a sheet of full height. It is open as long as it is rendered. The focus begins at the element with
 * `data-autofocus`, else at the first control of its body, and returns to where it was.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, footer, children, size = 'normal', isToRead = false, isBeside = false } = props
  const m = useMessages(messages)
  const id = useId()
  const ref = useOpenDialog()
  usePressElsewhere(ref, isBeside ? onClose : undefined)
  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${size} ${isBeside ? 'dialog-beside' : ''}`}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        // A file chooser inside it sends the same event when it is cancelled.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      // A browser closes without asking when Escape is pressed twice. The event of our own closing tells nothing.
      onClose={({ target, currentTarget }) => target === currentTarget && isOpen(currentTarget) && onClose()}
    >
      <div className="dialog-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <Button kind="quiet" aria-label={m.close} title={m.close} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div className="dialog-body" data-region {...(isToRead && READ)}>
        {children}
      </div>
      {footer !== undefined && <div className="dialog-foot">{footer}</div>}
    </dialog>
  )
}

/** On a dialog's body. */
const READ = { tabIndex: 0, 'data-autofocus': true } as const

function useOpenDialog() {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const before = document.activeElement
    dialog.showModal()
    startFocus(dialog)
    noteOpened(dialog)
    return () => {
      noteClosed(dialog)
      dialog.close()
      returnFocus(before)
    }
  }, [])
  return ref
}

/** Calls back after a press that began and ended outside of the dialog; the one that opens it began before it was there. */
function usePressElsewhere(ref: RefObject<HTMLDialogElement | null>, onPress: (() => void) | undefined) {
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  useEffect(() => {
    const dialog = ref.current
    const stop = new AbortController()
    let isPressed = false
    const isElsewhere = ({ target, clientX: x, clientY: y }: MouseEvent) => {
      const { left, right, top, bottom } = dialog?.getBoundingClientRect() ?? new DOMRect()
      // A modal dialog is the target of every press outside of it.
      return target === dialog && (x < left || x > right || y < top || y > bottom)
    }
    dialog?.addEventListener('pointerdown', (event) => void (isPressed = isElsewhere(event)), stop)
    dialog?.addEventListener('click', (event) => isPressed && isElsewhere(event) && latest.current?.(), stop)
    return () => stop.abort()
  }, [ref])
}

const CONTROL =
  ':is(input:not([type=radio]:not(:checked)), select, textarea, button, a[href], [tabindex="0"]):not(:disabled)'

/** By itself a dialog would begin at its button "Close". */
function startFocus(dialog: HTMLDialogElement): void {
  const first = ['[data-autofocus]', `.dialog-body ${CONTROL}`, '.dialog-foot button:last-of-type']
    .map((selector) => dialog.querySelector<HTMLElement>(selector))
    .find((element) => element !== null)
  first?.focus()
}

/** What opened the dialog may be gone with what the dialog deleted; the page's heading is still there. */
function returnFocus(before: Element | null): void {
  const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
  const target = isThere ? before : document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: true })
}
