import { useRef, useState } from 'react'
import type { ImportView } from '../../features/calendars/import/model'
import { type Answer, call } from '../api/call'
import { type Refusal, refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { undoPath } from '../store/undo'
import { messages } from './file-import.messages'
import { announce } from './messages-store'

/** What an import did, or would do: counts, and why entries were skipped. */
export type ImportReport = typeof ImportView.static

export interface Upload {
  readonly file: Blob
  /** Only asks what an import would do. */
  readonly isRehearsal: boolean
  readonly signal: AbortSignal
}

export interface FileImporting {
  /** Says that the file is larger than the service takes. */
  readonly tooLarge: string
  readonly send: (upload: Upload) => Promise<Answer<ImportReport>>
}

type ImportStep =
  | { readonly is: 'choosing'; readonly problem?: string }
  | { readonly is: 'running'; readonly isRehearsal: boolean }
  | { readonly is: 'rehearsed'; readonly report: ImportReport }
  | { readonly is: 'done'; readonly report: ImportReport; readonly file: File }

/** The service takes files up to this size. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

/** The steps of an import. Whatever goes wrong, the chosen file stays chosen. */
export function useFileImport({ tooLarge, send }: FileImporting) {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const [step, setStep] = useState<ImportStep>({ is: 'choosing' })
  const file = useRef<File>(undefined)
  const running = useRef<AbortController>(undefined)

  const undo = async (operation: string) => {
    try {
      await call('POST', undoPath(operation))
      setStep({ is: 'choosing' })
    } catch (error) {
      announce({ text: problemOf(refusalOf(error), { ...m, tooLarge }, sentence), isError: true })
    }
  }
  const run = async (isRehearsal: boolean) => {
    const chosen = file.current
    if (!chosen) return
    const controller = new AbortController()
    running.current = controller
    setStep({ is: 'running', isRehearsal })
    try {
      const { body: report, operationId } = await send({
        file: chosen,
        isRehearsal,
        signal: controller.signal,
      })
      setStep(isRehearsal ? { is: 'rehearsed', report } : { is: 'done', report, file: chosen })
      if (operationId !== undefined) announce({ text: m.done, undo: () => void undo(operationId) })
    } catch (error) {
      setStep({
        is: 'choosing',
        problem: controller.signal.aborted
          ? m.cancelled
          : problemOf(refusalOf(error), { ...m, tooLarge }, sentence),
      })
    }
  }
  return {
    step,
    choose: (chosen: File | undefined) => {
      file.current = chosen
      if (!chosen) setStep({ is: 'choosing' })
      else if (chosen.size > MAX_FILE_BYTES) setStep({ is: 'choosing', problem: tooLarge })
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
