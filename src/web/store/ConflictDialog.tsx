import { type FormEvent, useId, useMemo, useState } from 'react'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { fieldName } from './field-names'
import type { Clash } from './merge'
import type { Conflict } from './notes'
import { useConflicts, useStore } from './use-store'
import { useValueWords } from './value-words'

const messages = defineMessages({
  en: {
    title: 'Changed elsewhere',
    lead: (said: string) => `While you made this change, the same was changed elsewhere: ${said}`,
    mine: 'Keep mine',
    theirs: 'Take theirs',
    deleted: 'deleted',
    kept: 'kept, as it was changed',
    deletion: 'Deletion',
    save: 'Save',
  },
  de: {
    title: 'Anderswo geändert',
    lead: (said) => `Während dieser Änderung wurde dasselbe anderswo geändert: ${said}`,
    mine: 'Eigenes behalten',
    theirs: 'Anderes übernehmen',
    deleted: 'gelöscht',
    kept: 'bleibt, wie es geändert wurde',
    deletion: 'Löschen',
    save: 'Speichern',
  },
})

/** Asks about changes that met others, one after the other (contract: web.conflicts). */
export function ConflictDialog() {
  const [conflict] = useConflicts()
  return conflict ? <OneConflict key={conflict.command.id} conflict={conflict} /> : null
}

function OneConflict({ conflict: { command, clashes } }: { readonly conflict: Conflict }) {
  const m = useMessages(messages)
  const store = useStore()
  const form = useId()
  const [theirs, setTheirs] = useState<readonly Clash[]>([])
  const isDeletion = clashes.some(({ fields }) => fields.length === 0)
  const save = (event: FormEvent) => {
    event.preventDefault()
    store.resolve(
      command.id,
      theirs.flatMap(({ fields }) => fields),
      !(isDeletion && theirs.length > 0),
    )
  }
  const footer = useMemo(
    () => (
      <Button kind="primary" type="submit" form={form}>
        {m.save}
      </Button>
    ),
    [form, m.save],
  )
  // Escape takes theirs, which changes nothing that somebody saved.
  const close = () =>
    store.resolve(
      command.id,
      clashes.flatMap(({ fields }) => fields),
      !isDeletion,
    )
  return (
    <Dialog title={m.title} onClose={close} footer={footer}>
      <form id={form} onSubmit={save} className="conflict">
        <p>{m.lead(command.said)}</p>
        {clashes.map((clash) => (
          <Choice
            key={clash.fields.join()}
            clash={clash}
            takesTheirs={theirs.includes(clash)}
            onChoose={(takes) =>
              setTheirs((before) => [...before.filter((each) => each !== clash), ...(takes ? [clash] : [])])
            }
          />
        ))}
      </form>
    </Dialog>
  )
}

function Choice({
  clash,
  takesTheirs,
  onChoose,
}: {
  readonly clash: Clash
  readonly takesTheirs: boolean
  readonly onChoose: (takesTheirs: boolean) => void
}) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const name = useId()
  const isDeletion = clash.fields.length === 0
  const show = useValueWords()
  return (
    <fieldset role="radiogroup">
      <legend>{isDeletion ? m.deletion : fieldName(clash.fields, language)}</legend>
      {[false, true].map((theirs) => (
        <label key={String(theirs)}>
          <input
            type="radio"
            name={name}
            checked={takesTheirs === theirs}
            onChange={() => onChoose(theirs)}
            aria-describedby={`${name}-${theirs}`}
          />
          <span>{theirs ? m.theirs : m.mine}</span>
          <span id={`${name}-${theirs}`} className="conflict-value">
            {isDeletion ? (theirs ? m.kept : m.deleted) : show(theirs ? clash.theirs : clash.mine)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
