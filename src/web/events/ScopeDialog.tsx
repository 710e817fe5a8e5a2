import { useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { RadioGroup } from '../parts/RadioGroup'
import type { SeriesReach } from './intents'

const messages = defineMessages({
  en: {
    title: 'Change repeating event',
    what: 'What is it about?',
    this: 'Only this event',
    following: 'This and following events',
    all: 'All events',
    continue: 'Continue',
    cancel: 'Cancel',
    changesThis: 'Only this date changes. All others stay as they are.',
    changesFollowing:
      'This date and all later ones change. Earlier ones stay. Dates that were changed one by one keep what is their own.',
    changesAll:
      'All dates change, past ones too. Dates that were changed one by one keep what is their own; if the start moves, they move by the same time.',
    deletesThis: 'Only this date is deleted. All others stay.',
    deletesFollowing: 'This date and all later ones are deleted. Earlier ones stay.',
    deletesAll: 'All dates are deleted, past ones and those that were changed one by one too.',
    shared:
      'The calendar, the time zone, the repetition and whole days belong to all dates: they cannot change for one alone.',
  },
  de: {
    title: 'Wiederholten Termin ändern',
    what: 'Worum geht es?',
    this: 'Nur dieser Termin',
    following: 'Dieser und folgende Termine',
    all: 'Alle Termine',
    continue: 'Weiter',
    cancel: 'Abbrechen',
    changesThis: 'Nur dieser Termin ändert sich. Alle anderen bleiben, wie sie sind.',
    changesFollowing:
      'Dieser und alle späteren Termine ändern sich. Frühere bleiben. Einzeln geänderte Termine behalten, was ihr Eigenes ist.',
    changesAll:
      'Alle Termine ändern sich, auch vergangene. Einzeln geänderte Termine behalten, was ihr Eigenes ist; wenn sich der Beginn verschiebt, verschieben sie sich mit.',
    deletesThis: 'Nur dieser Termin wird gelöscht. Alle anderen bleiben.',
    deletesFollowing: 'Dieser und alle späteren Termine werden gelöscht. Frühere bleiben.',
    deletesAll: 'Alle Termine werden gelöscht, auch vergangene und einzeln geänderte.',
    shared:
      'Kalender, Zeitzone, Wiederholung und „Ganztägig“ gelten für alle Termine: für einen allein ändern sie sich nicht.',
  },
})

interface ScopeDialogProps {
  readonly deletes: boolean
  /** The change touches what one occurrence cannot have for itself. */
  readonly isShared: boolean
  /** What comes with it and cannot be undone. */
  readonly warning?: string | undefined
  readonly onContinue: (scope: SeriesReach) => void
  readonly onClose: () => void
}

/** Asks once how much of a series a change concerns, and says what happens to what was changed before. */
export function ScopeDialog({ deletes, isShared, warning, onContinue, onClose }: ScopeDialogProps) {
  const m = useMessages(messages)
  const [scope, setScope] = useState<SeriesReach>(isShared ? 'all' : 'this')
  const options = [
    ...(isShared ? [] : [{ value: 'this' as const, label: m.this }]),
    { value: 'following' as const, label: m.following },
    { value: 'all' as const, label: m.all },
  ]
  const sentences = deletes
    ? { this: m.deletesThis, following: m.deletesFollowing, all: m.deletesAll }
    : { this: m.changesThis, following: m.changesFollowing, all: m.changesAll }
  return (
    <Dialog
      title={m.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button kind={deletes ? 'danger' : 'primary'} onClick={() => onContinue(scope)}>
            {m.continue}
          </Button>
        </>
      }
    >
      <RadioGroup label={m.what} options={options} value={scope} onChange={setScope} />
      <p role="status" className="scope-sentence">
        {sentences[scope]}
      </p>
      {warning !== undefined && <p>{warning}</p>}
      {isShared && <p className="field-hint">{m.shared}</p>}
    </Dialog>
  )
}
