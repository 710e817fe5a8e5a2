import { createContext, type ReactNode, use, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { PageHeading } from '../parts/PageHeading'
import { useScreen } from '../parts/use-screen'
import { useShortcuts } from './shortcuts'

const messages = defineMessages({
  en: { close: 'Close', closeDetails: 'Close the details', here: 'On this page', back: 'Back' },
  de: { close: 'Schließen', closeDetails: 'Details schließen', here: 'Auf dieser Seite', back: 'Zurück' },
})

/** Whether the detail is a page of its own, as on phones. */
const IsPage = createContext(false)

interface DetailLayoutProps {
  /** The page with the list. */
  readonly children: ReactNode
  /** What is opened of it, with a `DetailHeading`; undefined while nothing is. */
  readonly detail: ReactNode | undefined
  /** What the region beside the list is called. */
  readonly label: string
  /** The address of the list alone. */
  readonly listAddress: string
}

/**
 * A list with what is opened of it: beside it on a wide window, over its half on a tablet, instead of it on a phone
 * (contract: web.details). Its page names the address of the detail in `app/pages.tsx`.
 */
export function DetailLayout({ children, detail, label, listAddress }: DetailLayoutProps) {
  const m = useMessages(messages)
  const isPhone = useScreen() === 'phone'
  const close = useClosing(listAddress)
  useShortcuts(detail ? [{ keys: 'Escape', label: m.closeDetails, group: m.here, run: close }] : [])
  if (detail && isPhone)
    return (
      <div className="detail-page">
        <Button kind="quiet" onClick={close}>
          <Icon name="chevron-left" />
          {m.back}
        </Button>
        <IsPage value>{detail}</IsPage>
      </div>
    )
  return (
    <div className="with-detail" data-open={detail ? true : undefined}>
      <div className="with-detail-list">{children}</div>
      {detail && (
        <aside className="detail" aria-label={label} data-region>
          <Button kind="quiet" aria-label={m.close} title={m.close} onClick={close}>
            <Icon name="close" />
          </Button>
          {detail}
        </aside>
      )}
    </div>
  )
}

/** The heading of a detail. It takes the focus when the detail opens and gives it back; a detail has its record's `key`. */
export function DetailHeading({ children }: { readonly children: string }) {
  const isPage = use(IsPage)
  return isPage ? <PageHeading>{children}</PageHeading> : <PaneHeading>{children}</PaneHeading>
}

function PaneHeading({ children }: { readonly children: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    if (navigator.userActivation.hasBeenActive) ref.current?.focus({ preventScroll: true })
    return () => {
      const pane = ref.current?.closest('aside')
      if (pane && !pane.contains(document.activeElement)) return
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
      const target = isThere ? before : document.querySelector<HTMLElement>('main h1')
      target?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <h2 ref={ref} tabIndex={-1}>
      {children}
    </h2>
  )
}

/** Goes back where the list is one step behind, so that Back does not open the detail again. */
function useClosing(listAddress: string): () => void {
  const [, navigate] = useLocation()
  return () => {
    const { navigation } = globalThis
    const index = navigation?.currentEntry?.index ?? 0
    const before = navigation?.entries()[index - 1]?.url
    if (before === new URL(listAddress, location.origin).href) history.back()
    else navigate(listAddress, { replace: true })
  }
}
