import { useState } from 'react'
import type { ReminderView } from '../../features/tasks/reminders/model'
import type { Refusal } from '../api/refusal'
import { useDateForms } from '../events/use-date-forms'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useWriting } from '../store/use-writing'
import { draftOf, readReminderDraft, type ReminderDraft, type ReminderProblems } from './draft'
import { changingReminder } from './intents'

const messages = defineMessages({
  en: { changed: (title: string) => `Changed ${title}` },
  de: { changed: (title) => `${title} geändert` },
})

/** What was typed, with the reminder as it was then: what others change meanwhile is merged against it. */
interface KeptReminder {
  readonly draft: ReminderDraft
  readonly opened: ReminderView
  /** Why the service did not take it. */
  readonly refusal?: Refusal
}

const NO_PROBLEMS: ReminderProblems = {}

/** The state of the fields of a reminder: as it is, until somebody types (contract: web.drafts). */
export function useReminderEditor(reminder: ReminderView) {
  const m = useMessages(messages)
  const forms = useDateForms()
  const key = `reminder ${reminder.id}`
  const [stored, keep] = useDraft<KeptReminder>(key)
  const [problems, setProblems] = useState(NO_PROBLEMS)
  const [attempt, setAttempt] = useState(0)
  const write = useWriting()
  const kept: KeptReminder = stored ?? { draft: draftOf(reminder, forms), opened: reminder }
  const forget = () => {
    setProblems(NO_PROBLEMS)
    keep(undefined)
  }
  const save = () => {
    const read = readReminderDraft(kept.draft, kept.opened, forms)
    if ('problems' in read) {
      setProblems(read.problems)
      return setAttempt((count) => count + 1)
    }
    forget()
    if (Object.keys(read.changes).length === 0) return
    const sent = write(changingReminder(kept.opened, read.changes, m.changed(kept.draft.title.trim())))
    void keepUntilDone<KeptReminder>(key, kept, sent, (typed, refusal) => ({ ...typed, refusal }))
  }
  return {
    draft: kept.draft,
    refusal: kept.refusal,
    forms,
    problems,
    /** Counts refusals, so that the first wrong field takes the focus each time. */
    attempt,
    isTyped: stored !== undefined,
    change: (changes: Partial<ReminderDraft>) => {
      setProblems(NO_PROBLEMS)
      keep({ opened: kept.opened, draft: { ...kept.draft, ...changes } })
    },
    save,
    discard: forget,
  }
}
export type ReminderEditorState = ReturnType<typeof useReminderEditor>
