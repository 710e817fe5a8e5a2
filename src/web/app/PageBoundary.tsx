import { Component, type ReactNode } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { PageHeading } from '../parts/PageHeading'
import { useReload } from '../parts/use-reload'

const messages = defineMessages({
  en: {
    failed: 'This page could not be shown',
    hint: 'It has an error. Everything that you saved is safe.',
    again: 'Try again',
  },
  de: {
    failed: 'Diese Seite konnte nicht angezeigt werden',
    hint: 'Sie hat einen Fehler. Alles Gespeicherte ist sicher.',
    again: 'Noch einmal versuchen',
  },
})

interface BoundaryProps {
  /** Another address is another page, which may well work. */
  readonly address: string
  readonly children: ReactNode
}

interface BoundaryState {
  readonly hasFailed: boolean
}

/** Keeps the rest of the frame when a page fails. It is a class because React has no other error boundary. */
export class PageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false }
  static getDerivedStateFromError = (): BoundaryState => ({ hasFailed: true })

  override componentDidUpdate({ address }: BoundaryProps) {
    if (this.state.hasFailed && address !== this.props.address) this.setState({ hasFailed: false })
  }

  override render() {
    return this.state.hasFailed ? <Failed /> : this.props.children
  }
}

function Failed() {
  const m = useMessages(messages)
  return (
    <div className="not-here">
      <PageHeading>{m.failed}</PageHeading>
      <p>{m.hint}</p>
      <Button kind="primary" onClick={useReload()}>
        {m.again}
      </Button>
    </div>
  )
}
