import { useState } from 'react'
import type { PersonFields, PersonView } from '../../features/people/people/model'
import type { Refusal } from '../api/refusal'
import { useDateForms } from '../events/use-date-forms'
import { useMessages } from '../messages/language'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useWriting } from '../store/use-writing'
import { useBooks } from './data'
import { changesOf, draftOf, emptyDraft, type PersonDraft, type PersonProblems, readDraft } from './draft'
import { changingPerson, creatingPerson } from './intents'
import { nameOf } from './names'
import { peopleTexts } from './texts'

/** What an editor is opened with. */
export interface PersonOpening {
  /** Leads back to the editor. */
  readonly address: string
  /** A new person without it. */
  readonly person?: PersonView | undefined
  /** What the fields of a new person say at first. */
  readonly given?: Partial<PersonDraft>
}

/** What was typed, with what it started from; it outlives a reload. */
interface KeptPerson {
  readonly draft: PersonDraft
  /** The person as they were when the editor was opened: what others change meanwhile is merged against it. */
  readonly opened?: PersonView | undefined
  /** Why the service did not take it. */
  readonly refusal?: Refusal
}

/** The state of one editor. `onDone` is called with the id of a person who was made. */
export function usePersonEditor(opening: PersonOpening, onDone: (made?: number) => void) {
  const { person, given = {} } = opening
  const forms = useDateForms()
  const books = useBooks()
  const key = `person ${person?.id ?? 'new'}`
  const [start] = useState<KeptPerson>(() => ({
    draft: person ? draftOf(person, forms.locale) : emptyDraft(given),
    opened: person,
  }))
  const [stored, store] = useDraft<KeptPerson>(key)
  // What was there when the editor opened is worth a word; what is typed now is not.
  const [isContinued, setContinued] = useState(stored !== undefined)
  const [problems, setProblems] = useState<PersonProblems>({})
  const [attempt, setAttempt] = useState(0)
  const kept = stored ?? start
  const send = useSending(opening, key)
  const finish = (made?: number) => {
    store(undefined)
    onDone(made)
  }
  const save = () => {
    const read = readDraft(kept.draft, forms)
    if ('body' in read) return finish(send(read.body, kept))
    setProblems(read.problems)
    return setAttempt((count) => count + 1)
  }
  return {
    draft: kept.draft,
    refusal: kept.refusal,
    books,
    forms,
    isContinued,
    problems,
    /** Counts refusals, so that the first wrong field takes the focus each time. */
    attempt,
    change: (changes: Partial<PersonDraft>) => {
      setProblems({})
      store({ draft: { ...kept.draft, ...changes }, opened: kept.opened })
    },
    save,
    discard: () => {
      setContinued(false)
      setProblems({})
      store(undefined)
    },
    cancel: () => finish(),
  }
}
export type PersonEditorState = ReturnType<typeof usePersonEditor>

/** Returns a function that sends what was typed, if that changes anything, and returns the id of who is made by it. */
function useSending({ address }: PersonOpening, key: string) {
  const m = useMessages(peopleTexts)
  const write = useWriting()
  const books = useBooks()
  const intentOf = (body: PersonFields, opened: PersonView | undefined) => {
    const name = nameOf({ first_name: null, last_name: null, nickname: null, ...body })
    if (!opened) {
      const defaultBook = books.find((book) => book.is_default)?.id ?? 0
      return creatingPerson(body, defaultBook, m.added(name))
    }
    const changes = changesOf(body, opened)
    return Object.keys(changes).length === 0 ? undefined : changingPerson(opened, changes, m.changed(name))
  }
  return (body: PersonFields, kept: KeptPerson): number | undefined => {
    const intent = intentOf(body, kept.opened)
    if (!intent) return undefined
    const sent = write({ ...intent, from: address })
    void keepUntilDone<KeptPerson>(key, kept, sent, (draft, refusal) => ({ ...draft, refusal }))
    return intent.creates?.id
  }
}
