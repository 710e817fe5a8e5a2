import { type FormEvent, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PlacedCommentView } from '../../features/tasks/comments/model'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { TextArea } from '../parts/TextArea'
import { WaitingMark } from '../parts/WaitingMark'
import { useSignedIn } from '../session/use-session'
import { useWriting } from '../store/use-writing'
import { clockTime, fullDate } from '../time/format'
import { useZone } from '../time/use-zone'
import { changingComment, deletingComment } from './intents'
import { submitOnModEnter } from './submit-keys'
import { projectTexts } from './texts'

const messages = defineMessages({
  en: {
    at: (day: string, time: string) => `${day}, ${time}`,
    edited: 'edited',
    comment: 'Comment',
    changed: 'Changed a comment',
    deleted: 'Deleted a comment',
  },
  de: {
    at: (day, time) => `${day}, ${time} Uhr`,
    edited: 'bearbeitet',
    comment: 'Kommentar',
    changed: 'Kommentar geändert',
    deleted: 'Kommentar gelöscht',
  },
})

interface CommentProps {
  readonly comment: PlacedCommentView
  readonly isEdited: boolean
  readonly onEdit: (isEdited: boolean) => void
}

/** Who said what and when; one's own can be changed and deleted. */
export function Comment({ comment, isEdited, onEdit }: CommentProps) {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  const isOwn = comment.author_id === user.id
  const article = useRef<HTMLElement>(null)
  const leave = () => {
    flushSync(() => onEdit(false))
    article.current?.querySelector('button')?.focus()
  }
  const isChanged = Temporal.Instant.compare(comment.created_at, comment.updated_at) !== 0
  return (
    <article className="comment" ref={article}>
      <header>
        <b>{comment.author_network_name}</b>
        <span className="comment-when">
          <When at={comment.created_at} />
          {isChanged && ` · ${m.edited}`}
        </span>
        <WaitingMark record={{ kind: 'comment', id: comment.id }} />
        {isOwn && <OwnActions comment={comment} onEdit={onEdit} />}
      </header>
      {isEdited ? (
        <EditComment comment={comment} onDone={leave} />
      ) : (
        <p className="own-text">{comment.body}</p>
      )}
    </article>
  )
}

function When({ at }: { readonly at: string }) {
  const m = useMessages(messages)
  const locale = useLocale()
  const zone = useZone()
  const instant = Temporal.Instant.from(at)
  const day = fullDate(instant.toZonedDateTimeISO(zone).toPlainDate(), locale)
  return <time dateTime={at}>{m.at(day, clockTime(instant, zone, locale))}</time>
}

function OwnActions({ comment, onEdit }: Omit<CommentProps, 'isEdited'>) {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const write = useWriting()
  const menu = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'edit', label: texts.edit, icon: 'edit', run: () => onEdit(true) },
      {
        id: 'delete',
        label: texts.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => void write(deletingComment(comment, m.deleted)),
      },
    ],
    [m, texts, onEdit, write, comment],
  )
  const more = texts.more(beginningOf(comment.body))
  return (
    <MenuButton kind="quiet" actions={menu} aria-label={more} title={more}>
      <Icon name="more" />
    </MenuButton>
  )
}

const SHOWN_LENGTH = 40
const beginningOf = (body: string) =>
  body.length > SHOWN_LENGTH ? `${body.slice(0, SHOWN_LENGTH).trimEnd()}…` : body

function EditComment({
  comment,
  onDone,
}: {
  readonly comment: PlacedCommentView
  readonly onDone: () => void
}) {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const write = useWriting()
  const [body, setBody] = useState(comment.body)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (body.trim() === '') return
    if (body.trim() !== comment.body) write(changingComment(comment, body.trim(), m.changed))
    onDone()
  }
  return (
    <form className="add-comment" noValidate onSubmit={save} onKeyDown={submitOnModEnter}>
      <TextArea
        label={m.comment}
        value={body}
        maxLength={5000}
        autoFocus
        onChange={({ target }) => setBody(target.value)}
      />
      <div className="comment-buttons">
        <Button onClick={onDone}>{texts.cancel}</Button>
        <Button kind="primary" type="submit">
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
