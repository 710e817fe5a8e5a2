import { type ReactNode, useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { Answers } from './Answers'
import { DeleteDialog } from './DeleteDialog'
import type { EventDraft } from './draft'
import { EventHistory } from './EventHistory'
import { EventForm, useFormId } from './EventForm'
import { FindTime } from './FindTime'
import { ScopeDialog } from './ScopeDialog'
import { SaveTemplate, UseTemplate } from './Templates'
import { eventTexts } from './texts'
import { type EventEditorState, type Opening, useEventEditor } from './use-event-editor'
import type { SavedEvent } from './use-saving'

interface EventEditorProps extends Opening {
  /** Puts the parts into a dialog or a page. */
  readonly frame: (parts: {
    readonly title: string
    readonly body: ReactNode
    readonly footer: ReactNode
  }) => ReactNode
  readonly onDone: (saved?: SavedEvent) => void
}

/** Edits an event or makes one. What is typed is kept until it is saved or given up. */
export function EventEditor({ event, ...rest }: EventEditorProps) {
  // A duplicate is a new event that begins with the same fields.
  const [copy, setCopy] = useState<EventDraft>()
  if (copy) return <Editor key="copy" {...rest} draft={copy} onDuplicate={undefined} />
  return <Editor key="own" {...rest} event={event} onDuplicate={event && setCopy} />
}

interface EditorProps extends EventEditorProps {
  readonly onDuplicate: ((draft: EventDraft) => void) | undefined
}

function Editor({ frame, onDone, onDuplicate, ...opening }: EditorProps) {
  const m = useMessages(eventTexts)
  const editor = useEventEditor(opening, onDone)
  const formId = useFormId()
  const eventId = opening.event?.id ?? undefined
  const duplicate = () => {
    editor.discard()
    onDuplicate?.(editor.draft)
  }
  const body = (
    <>
      {eventId === undefined && <UseTemplate editor={editor} />}
      {opening.event?.my_invitation && (
        <Answers event={opening.event} invitation={opening.event.my_invitation} onLeft={() => onDone()} />
      )}
      <EventForm id={formId} editor={editor} event={opening.event} />
      <div className="event-more">
        <FindTime editor={editor} event={opening.event} formId={formId} />
        <SaveTemplate editor={editor} />
        {onDuplicate && (
          <Button kind="quiet" onClick={duplicate}>
            {m.duplicate}
          </Button>
        )}
        {opening.event && <EventHistory event={opening.event} onRestored={editor.cancel} />}
      </div>
    </>
  )
  return (
    <>
      {frame({
        title: eventId === undefined ? m.newEvent : m.editEvent,
        body,
        footer: <Foot editor={editor} formId={formId} canDelete={eventId !== undefined} />,
      })}
      <Questions editor={editor} event={opening.event} />
    </>
  )
}

interface FootProps {
  readonly editor: EventEditorState
  readonly formId: string
  readonly canDelete: boolean
}

function Foot({ editor, formId, canDelete }: FootProps) {
  const m = useMessages(eventTexts)
  return (
    <>
      {canDelete && (
        <span className="event-delete">
          <Button kind="quiet" onClick={editor.saving.askToDelete}>
            {m.delete}
          </Button>
        </span>
      )}
      <Button onClick={editor.cancel}>{m.cancel}</Button>
      <Button kind="primary" type="submit" form={formId}>
        {m.save}
      </Button>
    </>
  )
}

interface QuestionsProps {
  readonly editor: EventEditorState
  readonly event: EventView | undefined
}

function Questions({ editor: { saving }, event }: QuestionsProps) {
  const { question, closeQuestion } = saving
  if (question?.is === 'delete' && event)
    return <DeleteDialog event={event} onDelete={saving.remove} onClose={closeQuestion} />
  if (question?.is === 'change')
    return (
      <ScopeDialog
        deletes={false}
        isShared={question.isShared}
        onContinue={(scope) => saving.changeAs(question.sendable, scope)}
        onClose={closeQuestion}
      />
    )
  return null
}
