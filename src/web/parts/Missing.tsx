import { useEffect, useEffectEvent } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Dialog } from './Dialog'
import type { Fetched } from './fetched'
import { Icon } from './Icon'
import { announce, dismiss } from './messages-store'
import type { MissingReason } from './missing-reason'
import { PageHeading } from './PageHeading'
import { useReload } from './use-reload'

const messages = defineMessages({
  en: {
    page: 'This page could not be loaded',
    dialog: 'Something could not be loaded',
    unreachable: 'A part of Organiser could not be loaded, as the service is not reachable.',
    outdated: 'There is a new version of Organiser, and this part of the old one is gone. Reload to go on.',
    failed: 'A part of Organiser could not be loaded.',
    again: 'Try again',
    reload: 'Reload',
  },
  de: {
    page: 'Diese Seite ließ sich nicht laden',
    dialog: 'Etwas ließ sich nicht laden',
    unreachable: 'Ein Teil von Organiser ließ sich nicht laden, weil der Dienst nicht erreichbar ist.',
    outdated:
      'Es gibt eine neue Version von Organiser, und dieser Teil der alten fehlt. Neu laden, um weiterzumachen.',
    failed: 'Ein Teil von Organiser ließ sich nicht laden.',
    again: 'Noch einmal versuchen',
    reload: 'Neu laden',
  },
})

interface MissingProps {
  readonly reason: MissingReason
  readonly onTryAgain: () => void
}

/** What is said of a part of the client that did not come, and the way on: only a new page has the files of a new version. */
function useWayOn({ reason, onTryAgain }: MissingProps) {
  const m = useMessages(messages)
  const reload = useReload()
  const way = reason === 'outdated' ? { label: m.reload, go: reload } : { label: m.again, go: onTryAgain }
  return { m, text: m[reason], way }
}

/** Stands in the place of a page that did not come. */
export function MissingPage(props: MissingProps) {
  const { m, text, way } = useWayOn(props)
  return (
    <div className="not-here">
      <PageHeading>{m.page}</PageHeading>
      <p role="alert">{text}</p>
      <Button kind="primary" onClick={way.go}>
        {way.label}
      </Button>
    </div>
  )
}

/** The same where there is no frame around the page either. */
export const MissingClient = (props: MissingProps) => (
  <main className="enter">
    <div className="enter-card">
      <MissingPage {...props} />
    </div>
  </main>
)

/** Stands in the place of a part of a page. */
export function MissingNote(props: MissingProps) {
  const { text, way } = useWayOn(props)
  return (
    <div className="problem-note" role="alert">
      <Icon name={props.reason === 'unreachable' ? 'offline' : 'warning'} />
      <p className="problem-note-text">{text}</p>
      <Button onClick={way.go}>{way.label}</Button>
    </div>
  )
}

interface Closing extends MissingProps {
  /** Gives up what was to open. */
  readonly onClose: () => void
}

/** A message instead of what was to open. */
export function MissingMessage({ onClose, ...props }: Closing) {
  const { text, way } = useWayOn(props)
  const goOn = useEffectEvent(way.go)
  const giveUp = useEffectEvent(onClose)
  const { label } = way
  useEffect(() => {
    const key = announce({
      text,
      isError: true,
      way: { label, go: () => goOn() },
      onDismiss: () => giveUp(),
    })
    return () => dismiss(key)
  }, [text, label])
  return null
}

/** A dialog instead of one that the person cannot go on without. */
export function MissingDialog({ onClose, ...props }: Closing) {
  const { m, text, way } = useWayOn(props)
  return (
    <Dialog
      title={m.dialog}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={way.go}>
          {way.label}
        </Button>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}

/** What `part` missing needs, of the part itself. */
export const missingOf = ({ again }: Fetched<unknown>, reason: MissingReason): MissingProps => ({
  reason,
  onTryAgain: again,
})
