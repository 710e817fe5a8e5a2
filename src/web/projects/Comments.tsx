import { type FormEvent, useId, useMemo, useState } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { TextArea } from '../parts/TextArea'
import { useSignedIn } from '../session/use-session'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useKeys } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { Comment } from './Comment'
import { useCommentsOn, useRereading } from './data'
import { creatingComment } from './intents'
import { PaneList } from './PaneList'
import { submitOnModEnter } from './submit-keys'

const messages = defineMessages({
  en: {
    title: 'Comments',
    add: 'Add a comment',
    send: 'Comment',
    added: (task: string) => `Commented on ${task}`,
    unread: 'The comments could not be read.',
  },
  de: {
    title: 'Kommentare',
    add: 'Kommentar hinzufügen',
    send: 'Kommentieren',
    added: (task) => `Kommentar zu ${task} hinzugefügt`,
    unread: 'Die Kommentare konnten nicht gelesen werden.',
  },
})

/** What was said about a task, oldest first. */
export function Comments({ task }: { readonly task: SubtaskView }) {
  const m = useMessages(messages)
  const id = useId()
  const { items, isWhole, refusal } = useCommentsOn(task.id)
  const reread = useRereading()
  const keyOf = useKeys('comment')
  const [edited, edit] = useState<string>()
  const lines = useMemo(() => items.map((comment) => ({ key: keyOf(comment.id), comment })), [items, keyOf])
  return (
    <section aria-labelledby={id} className="pane-section">
      <h2 id={id}>
        {m.title}
        {items.length > 0 && <span>{items.length}</span>}
      </h2>
      {refusal && <ProblemNote refusal={refusal} sentence={m.unread} onTryAgain={reread} />}
      {!isWhole && !refusal && items.length === 0 && <Skeleton lines={2} />}
      <PaneList labelledBy={id} items={lines}>
        {({ key, comment }) => (
          <Comment
            comment={comment}
            isEdited={key === edited}
            onEdit={(isEdited) => edit(isEdited ? key : undefined)}
          />
        )}
      </PaneList>
      <AddComment task={task} />
    </section>
  )
}

function AddComment({ task }: { readonly task: SubtaskView }) {
  const m = useMessages(messages)
  const write = useWriting()
  const { user, settings } = useSignedIn()
  const key = `comment on ${task.id}`
  const [draft, setDraft] = useDraft<{ readonly body: string }>(key)
  const typed = draft?.body ?? ''
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    setDraft(undefined)
    const author = { id: user.id, networkName: settings.network_name }
    const sent = write(creatingComment(task, author, typed.trim(), m.added(task.title)))
    void keepUntilDone(key, { body: typed }, sent, (kept) => kept)
  }
  return (
    <form className="add-comment" noValidate onSubmit={add} onKeyDown={submitOnModEnter}>
      <TextArea
        label={m.add}
        value={typed}
        maxLength={5000}
        rows={2}
        onChange={({ target }) => setDraft(target.value === '' ? undefined : { body: target.value })}
      />
      <Button type="submit">{m.send}</Button>
    </form>
  )
}
