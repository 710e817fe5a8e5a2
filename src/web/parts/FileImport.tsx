import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Button } from './Button'
import { messages } from './file-import.messages'
import { type FileImporting, type ImportReport, useFileImport } from './use-file-import'

interface FileImportProps extends FileImporting {
  /** Of the field. */
  readonly label: string
  /** The kinds of files, for the browser's chooser. */
  readonly accept: string
  /** What stands above the field. */
  readonly children?: ReactNode
  /** What one can do once the file is imported. */
  readonly after?: (file: File) => ReactNode
}

/** Takes a file: first it says what would happen, then it does it. */
export function FileImport({ label, accept, children, after, ...importing }: FileImportProps) {
  const m = useMessages(messages)
  const id = useId()
  const { step, choose, start, undo, cancel } = useFileImport(importing)
  const heading = useKeptFocus(step.is)
  return (
    <section className="import" aria-labelledby={`${id}-title`}>
      <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
        {m.title}
      </h2>
      {children}
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          className="file-input"
          type="file"
          accept={accept}
          disabled={step.is === 'running'}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => choose(target.files?.[0])}
        />
        <p id={`${id}-problem`} role="alert" className="field-problem">
          {step.is === 'choosing' && step.problem}
        </p>
      </div>
      {step.is === 'running' && (
        <p className="import-progress">
          <progress aria-label={step.isRehearsal ? m.reading : m.importing} />
          {step.isRehearsal ? m.reading : m.importing}
          <Button onClick={cancel}>{m.cancel}</Button>
        </p>
      )}
      {step.is === 'rehearsed' && (
        <>
          <Report report={step.report} />
          <Button kind="primary" onClick={start} disabled={step.report.created + step.report.updated === 0}>
            {m.start}
          </Button>
        </>
      )}
      {step.is === 'done' && (
        <>
          <p role="status">{m.done}</p>
          <Report report={step.report} />
          {after?.(step.file)}
          <UndoButton operationId={step.operationId} onUndo={undo} />
        </>
      )}
    </section>
  )
}

/** Each step has controls of its own: where the focused one is gone, the heading has the focus. */
function useKeptFocus(step: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(step)
  useEffect(() => {
    const isOther = before.current !== step
    before.current = step
    if (isOther && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [step])
  return heading
}

function Report({ report }: { readonly report: ImportReport }) {
  const m = useMessages(messages)
  const { problem } = useRefusals()
  const byReason = Map.groupBy(report.skipped, ({ reason }) => reason)
  return (
    <div role="status" className="import-report">
      <p>{m.counts(report.created, report.updated, report.unchanged, report.skipped.length)}</p>
      {byReason.size > 0 && (
        <ul>
          {[...byReason].map(([reason, skipped]) => (
            <li key={reason}>{m.reason(skipped.length, problem(reason))}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface UndoButtonProps {
  /** An import that changed nothing has none. */
  readonly operationId: string | undefined
  readonly onUndo: (operationId: string) => void
}

function UndoButton({ operationId, onUndo }: UndoButtonProps) {
  const m = useMessages(messages)
  if (operationId === undefined) return null
  return <Button onClick={() => onUndo(operationId)}>{m.undo}</Button>
}
