import { useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { HistoryDialog, type HistoryProps } from './HistoryDialog'

const messages = defineMessages({ en: { history: 'History' }, de: { history: 'Verlauf' } })

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
