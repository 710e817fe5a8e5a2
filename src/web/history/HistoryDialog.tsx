import { useLanguage, useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useSignedIn } from '../session/use-session'
import type { Intent } from '../store/commands'
import { fieldName } from '../store/field-names'
import type { Fields, RecordName } from '../store/kinds'
import { useWriting } from '../store/use-writing'
import { useValueWords } from '../store/value-words'
import { clockTime, fullDate } from '../time/format'
import { useZone } from '../time/use-zone'
import { type Compared, type Difference, differencesOf, fieldsBack, type Version } from './differences'
import { useVersions } from './use-versions'

const messages = defineMessages({
  en: {
    title: (name: string) => `History of ${name}`,
    at: (day: string, time: string) => `${day}, ${time}`,
    you: 'you',
    now: 'As it is now',
    made: 'Made',
    oldest: 'The oldest version that is kept',
    unshown: 'Something changed that does not show here',
    changed: (field: string, before: string, after: string) => `${field}: from “${before}” to “${after}”`,
    given: (field: string, after: string) => `${field}: set to “${after}”`,
    taken: (field: string, before: string) => `${field}: removed, was “${before}”`,
    same: 'As it is now',
    back: 'Bring back',
    backTo: (when: string) => `Bring back the version of ${when}`,
    said: (name: string, when: string) => `Brought back ${name} as of ${when}`,
    more: 'Load more',
    alone: 'No other version is kept.',
    unread: 'The history could not be read.',
  },
  de: {
    title: (name) => `Verlauf von „${name}“`,
    at: (day, time) => `${day}, ${time} Uhr`,
    you: 'selbst geändert',
    now: 'So ist es jetzt',
    made: 'Angelegt',
    oldest: 'Die älteste erhaltene Fassung',
    unshown: 'Etwas wurde geändert, das hier nicht zu sehen ist',
    changed: (field, before, after) => `${field}: von „${before}“ zu „${after}“`,
    given: (field, after) => `${field}: auf „${after}“ gesetzt`,
    taken: (field, before) => `${field}: entfernt, vorher „${before}“`,
    same: 'So ist es auch jetzt',
    back: 'Zurückholen',
    backTo: (when) => `Fassung von ${when} zurückholen`,
    said: (name, when) => `„${name}“ ist wieder wie am ${when}`,
    more: 'Mehr laden',
    alone: 'Eine andere Fassung ist nicht erhalten.',
    unread: 'Der Verlauf konnte nicht gelesen werden.',
  },
})

export interface HistoryProps {
  readonly record: RecordName
  /** Below it the service lists the versions of the record. */
  readonly path: string
  /** What the record is called. */
  readonly title: string
  /** The fields that a person may change, in the order of their form. Changes of others are not told. */
  readonly fields: readonly string[]
  /** Makes the change that gives the record these fields again; by default a `PUT` of just them. */
  readonly restoring?: (fields: Fields, said: string) => Intent
  readonly onRestored?: () => void
}

interface HistoryDialogProps extends HistoryProps {
  readonly onClose: () => void
}

/** What changed in a record, when and by whom. Bringing back a version is a change like any other. */
export function HistoryDialog(props: HistoryDialogProps) {
  const {
    record,
    path,
    title,
    fields,
    restoring = restoringFields(record, path),
    onClose,
    onRestored,
  } = props
  const m = useMessages(messages)
  const write = useWriting()
  const history = useVersions(path)
  const { versions = [] } = history
  const [now] = versions
  const compared = { kind: record.kind, fields }
  const bringBack = (former: Version, when: string) => {
    const back = now ? fieldsBack(compared, former.item, now.item) : {}
    onClose()
    write(restoring(back, m.said(title, when)))
    onRestored?.()
  }
  return (
    <Dialog title={m.title(title)} size="wide" onClose={onClose}>
      <div className="history">
        {versions.length === 1 && <p>{m.alone}</p>}
        <Versions versions={versions} hasMore={history.hasMore} compared={compared} onBack={bringBack} />
        <Rest history={history} />
      </div>
    </Dialog>
  )
}

/** What is still to be read, and why it could not be. */
function Rest({ history }: { readonly history: ReturnType<typeof useVersions> }) {
  const m = useMessages(messages)
  const { versions, refusal, again, hasMore, isReading, readMore } = history
  if (refusal) return <ProblemNote refusal={refusal} sentence={m.unread} onTryAgain={again} />
  if (!versions) return <Skeleton lines={4} />
  if (!hasMore) return null
  return (
    <Button isBusy={isReading} onClick={readMore}>
      {m.more}
    </Button>
  )
}

interface VersionsProps {
  readonly versions: readonly Version[]
  readonly hasMore: boolean
  readonly compared: Compared
  readonly onBack: (version: Version, when: string) => void
}

function Versions({ versions, hasMore, compared, onBack }: VersionsProps) {
  const [now] = versions
  const isAsNow = ({ item }: Version) => !now || differencesOf(compared, item, now.item).length === 0
  return (
    <ol>
      {versions.map((version, at) => (
        <VersionLine
          key={version.version}
          version={version}
          isNow={version === now}
          isSame={isAsNow(version)}
          change={changeOf(compared, version, versions[at + 1], hasMore)}
          onBack={onBack}
        />
      ))}
    </ol>
  )
}

const restoringFields =
  (record: RecordName, path: string) =>
  (fields: Fields, said: string): Intent => ({
    said,
    apply: [{ ...record, is: 'patch', fields }],
    request: { method: 'PUT', path, body: fields },
    guard: record,
  })

/** How a version came about: what differs from the one before, or why nobody can tell. */
type HowItCame = readonly Difference[] | 'made' | 'oldest' | 'unshown' | 'unread'

function changeOf(
  compared: Compared,
  { version, item }: Version,
  before: Version | undefined,
  hasMore: boolean,
): HowItCame {
  if (!before && hasMore) return 'unread'
  if (!before) return version === 1 ? 'made' : 'oldest'
  const differences = differencesOf(compared, before.item, item)
  return differences.length === 0 ? 'unshown' : differences
}

interface VersionLineProps {
  readonly version: Version
  readonly isNow: boolean
  readonly change: HowItCame
  /** Whether it has the fields that the record has now. */
  readonly isSame: boolean
  readonly onBack: (version: Version, when: string) => void
}

function VersionLine({ version, isNow, change, isSame, onBack }: VersionLineProps) {
  const m = useMessages(messages)
  const when = useWhen(version.changed_at)
  return (
    <li>
      <div className="history-version">
        <h3>
          {when}
          <Author version={version} />
        </h3>
        <HowChanged change={change} />
      </div>
      {isSame ? (
        <p className="history-same">{isNow ? m.now : m.same}</p>
      ) : (
        <Button aria-label={m.backTo(when)} onClick={() => onBack(version, when)}>
          {m.back}
        </Button>
      )}
    </li>
  )
}

function HowChanged({ change }: { readonly change: HowItCame }) {
  const m = useMessages(messages)
  if (change === 'unread') return null
  if (typeof change === 'string') return <p>{m[change]}</p>
  return (
    <ul>
      {change.map((difference) => (
        <ChangedField key={difference.fields.join()} difference={difference} />
      ))}
    </ul>
  )
}

/** "Monday 23 November 2026, 14:05". */
function useWhen(changedAt: string): string {
  const m = useMessages(messages)
  const locale = useLocale()
  const zone = useZone()
  const at = Temporal.Instant.from(changedAt)
  return m.at(fullDate(at.toZonedDateTimeISO(zone).toPlainDate(), locale), clockTime(at, zone, locale))
}

/** Nothing for what happened by itself, and where nobody knows. */
function Author({ version: { changed_by: author } }: { readonly version: Version }) {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  if (!author) return null
  return <span>{author.user_id === user.id ? m.you : author.network_name}</span>
}

function ChangedField({ difference: { fields, before, after } }: { readonly difference: Difference }) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const words = useValueWords()
  const name = fieldName(fields, language)
  if (isEmpty(before)) return <li>{m.given(name, words(after))}</li>
  return (
    <li>{isEmpty(after) ? m.taken(name, words(before)) : m.changed(name, words(before), words(after))}</li>
  )
}

const isEmpty = (fields: Fields) => Object.values(fields).every((value) => value === null || value === '')
