import type { TrashItemView } from '../../features/overview/trash/model'
import { useMessages, useLocale } from '../messages/language'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { useSignedIn } from '../session/use-session'
import { useRecords } from '../store/use-store'
import { dateAt } from '../time/days'
import { longDate } from '../time/format'
import { useMoment } from '../time/use-moment'
import { useZone } from '../time/use-zone'
import { messages } from './trash.messages'
import { insideNames, insideOf, KIND_ICONS, kindNames } from './words'

interface TrashLineProps {
  readonly item: TrashItemView
  /** Why it could not come back. */
  readonly problem: string | undefined
  readonly isBusy: boolean
  readonly onRestore: () => void
  readonly onDelete: () => void
}

export function TrashLine({ item, problem, isBusy, onRestore, onDelete }: TrashLineProps) {
  const m = useMessages(messages)
  return (
    <div className="trash-line">
      <Icon name={KIND_ICONS[item.type]} />
      <div className="trash-what">
        <p className="told-title">{item.title}</p>
        <p className="told-how">
          <Facts item={item} />
        </p>
        <p role="alert" className="field-problem">
          {problem}
        </p>
      </div>
      <Button
        aria-label={m.restoreWhat(item.title)}
        title={m.restoreWhat(item.title)}
        onClick={onRestore}
        isBusy={isBusy}
      >
        <Icon name="undo" />
        <span className="trash-act">{m.restore}</span>
      </Button>
      <Button
        kind="quiet"
        aria-label={m.deleteWhat(item.title)}
        title={m.deleteWhat(item.title)}
        onClick={onDelete}
      >
        <Icon name="delete" />
      </Button>
    </div>
  )
}

function Facts({ item }: { readonly item: TrashItemView }) {
  const m = useMessages(messages)
  const kinds = useMessages(kindNames)
  const inside = insideOf(item, useMessages(insideNames))
  const [moment, zone, locale] = [useMoment(), useZone(), useLocale()]
  const who = useWho(item.deleted_by)
  const when = moment(item.deleted_at)
  const ends = longDate(dateAt(Temporal.Instant.from(item.expires_at), zone), locale)
  const facts = [
    kinds[item.type],
    inside,
    who === undefined ? m.deleted(when) : m.deletedBy(when, who),
    m.ends(ends),
  ]
  return facts.filter((fact) => fact !== undefined).join(' · ')
}

/** Who deleted something, if it was not the user. */
function useWho(userId: number | null): string | undefined {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  const { items: connections } = useRecords('connection')
  if (userId === null || userId === user.id) return undefined
  const other = connections.find(({ user_id }) => user_id === userId)
  return other ? (other.preferred_name ?? other.network_name) : m.somebody
}
