import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { type Refusal, refusalOf } from '../api/refusal'
import { calendarAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { messages } from './import.messages'
import { type CalendarImport, firstDayOf, importCalendar, MAX_FILE_BYTES } from './writes'

type ImportStep =
  | { readonly is: 'choosing'; readonly problem?: string }
  | { readonly is: 'running'; readonly isRehearsal: boolean }
  | { readonly is: 'rehearsed'; readonly report: CalendarImport }
  | {
      readonly is: 'done'
      readonly report: CalendarImport
      readonly firstDay: Temporal.PlainDate | undefined
    }

/** Takes a calendar file: first it says what would happen, then it does it. */
export function Import({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  const { step, choose, start, cancel } = useImport(calendar.id, m)
  return (
    <section className="import" aria-labelledby="import-title">
      <h2 id="import-title">{m.title}</h2>
      <div className="field">
        <label htmlFor="import-file">{m.file}</label>
        <input
          id="import-file"
          className="file-input"
          type="file"
          accept=".ics,text/calendar"
          disabled={step.is === 'running'}
          aria-describedby="import-problem"
          onChange={({ target }) => choose(target.files?.[0])}
        />
        <p id="import-problem" role="alert" className="field-problem">
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
          {step.firstDay && <Link href={calendarAddress('day', step.firstDay)}>{m.showFirst}</Link>}
        </>
      )}
    </section>
  )
}

function Report({ report }: { readonly report: CalendarImport }) {
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

/** Whatever goes wrong, the chosen file stays chosen. */
function useImport(id: number, m: ReturnType<typeof useMessages<(typeof messages)['en']>>) {
  const { sentence } = useRefusals()
  const [step, setStep] = useState<ImportStep>({ is: 'choosing' })
  const file = useRef<File>(undefined)
  const running = useRef<AbortController>(undefined)

  const run = async (isRehearsal: boolean) => {
    const chosen = file.current
    if (!chosen) return
    const controller = new AbortController()
    running.current = controller
    setStep({ is: 'running', isRehearsal })
    try {
      const { body: report } = await importCalendar({
        id,
        file: chosen,
        isRehearsal,
        signal: controller.signal,
      })
      const firstDay = isRehearsal ? undefined : firstDayOf(await chosen.text())
      setStep(isRehearsal ? { is: 'rehearsed', report } : { is: 'done', report, firstDay })
    } catch (error) {
      setStep({
        is: 'choosing',
        problem: controller.signal.aborted ? m.cancelled : problemOf(refusalOf(error), m, sentence),
      })
    }
  }
  return {
    step,
    choose: (chosen: File | undefined) => {
      file.current = chosen
      if (!chosen) setStep({ is: 'choosing' })
      else if (chosen.size > MAX_FILE_BYTES) setStep({ is: 'choosing', problem: m.tooLarge })
      else void run(true)
    },
    start: () => void run(false),
    cancel: () => running.current?.abort(),
  }
}

function problemOf(
  refusal: Refusal | undefined,
  m: Record<'offline' | 'busy' | 'tooLarge' | 'failed', string>,
  sentence: (refusal: Refusal) => string,
): string {
  const known = { 0: m.offline, 413: m.tooLarge, 503: m.busy }[refusal?.status ?? 500]
  return known ?? (refusal && refusal.status < 500 ? sentence(refusal) : m.failed)
}
