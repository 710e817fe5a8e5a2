import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { ProblemNote } from '../parts/ProblemNote'
import { Status } from '../parts/Status'
import { useExport } from './export'

const messages = defineMessages({
  en: {
    download: 'Download everything',
    running: (size: string) => `Downloading: ${size} so far`,
    done: (size: string) => `Downloaded ${size} as organiser-export.json`,
    cancel: 'Cancel',
    cancelled: 'The download was cancelled.',
    broken: 'The download broke off before it was whole. Nothing was saved.',
  },
  de: {
    download: 'Alles herunterladen',
    running: (size) => `Wird heruntergeladen: bisher ${size}`,
    done: (size) => `${size} als organiser-export.json heruntergeladen`,
    cancel: 'Abbrechen',
    cancelled: 'Das Herunterladen wurde abgebrochen.',
    broken: 'Das Herunterladen ist abgebrochen, bevor alles da war. Gespeichert wurde nichts.',
  },
})

/** Downloads everything that the account owns, and says how far it is. */
export function ExportEverything() {
  const m = useMessages(messages)
  const size = useSize()
  const { step, start, cancel } = useExport()
  const isRunning = step.is === 'running'
  return (
    <div className="settings-test">
      <p className="actions">
        <Button onClick={start} isBusy={isRunning}>
          <Icon name="download" />
          {m.download}
        </Button>
        {isRunning && <Button onClick={cancel}>{m.cancel}</Button>}
      </p>
      {isRunning && (
        <p className="import-progress">
          <progress aria-label={m.download} />
          {m.running(size(step.bytes))}
        </p>
      )}
      <Status isVisible>
        {step.is === 'done' && m.done(size(step.bytes))}
        {step.is === 'cancelled' && m.cancelled}
      </Status>
      {step.is === 'refused' && (
        <ProblemNote
          refusal={step.refusal}
          {...(step.refusal.status === 0 && { sentence: m.broken })}
          onTryAgain={start}
        />
      )}
    </div>
  )
}

/** Says how large something is: "3.2 MB". */
function useSize() {
  const locale = useLocale()
  return (bytes: number): string => {
    const [value, unit] =
      bytes < 1_000_000 ? [Math.ceil(bytes / 1000), 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
    return value.toLocaleString(locale, { style: 'unit', unit, maximumFractionDigits: 1 })
  }
}
