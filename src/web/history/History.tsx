import { useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import type { Intent } from '../store/commands'
import type { Fields, RecordName } from '../store/kinds'
import { HistoryDialog } from './HistoryDialog'

const messages = defineMessages({ en: { history: 'History' }, de: { history: 'Verlauf' } })

export interface HistoryProps {
  readonly record: RecordName
  /** Below it the service lists the versions of the record. */
  readonly path: string
  /** What the record is called. */
  readonly title: string
  /** The fields that a person may change, in the order of their form. Changes of others are not told. */
  readonly fields: readonly string[]
  /** Makes the change that gives the record these fields again; by default a `PUT` of just them. */
  readonly restoring?: (fields: Fields, said: string) => Intent
  readonly onRestored?: () => void
}

/** A button that shows what a record was before, and brings it back (contract: web.history). */
export function History(props: HistoryProps) {
  const m = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {m.history}
      </Button>
      {isOpen && <HistoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
