import { useId } from 'react'
import type { DeliveryView } from '../../features/notifications/push-deliveries/model'
import { call } from '../api/call'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Icon } from '../parts/Icon'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useMoment } from '../time/use-moment'
import { messages } from './push.messages'

const readDeliveries = async () =>
  (await call<{ deliveries: DeliveryView[] }>('GET', 'settings/ntfy/deliveries')).body.deliveries

/** What became of the last messages. */
export function PushDeliveries() {
  const m = useMessages(messages)
  const id = useId()
  const { value: deliveries, refusal, again } = useAnswer(readDeliveries)
  return (
    <section aria-labelledby={id}>
      <div className="settings-head">
        <h2 id={id}>{m.last}</h2>
        {deliveries && <Button onClick={again}>{m.again}</Button>}
      </div>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {!deliveries && !refusal && <Skeleton />}
      {deliveries?.length === 0 && (
        <EmptyState icon="notifications" title={m.none}>
          <p>{m.noneHint}</p>
        </EmptyState>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul className="told-list" aria-labelledby={id}>
          {deliveries.map((delivery) => (
            <Delivery key={delivery.key} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Delivery({ delivery }: { readonly delivery: DeliveryView }) {
  const m = useMessages(messages)
  const words = useOutcomeWords()
  const { kind, title, status } = delivery
  const icons = { sent: 'check', pending: 'clock', failed: 'problem' } as const
  return (
    <li data-failed={status === 'failed' || undefined}>
      <Icon name={icons[status]} />
      <div>
        <p className="told-title">{title}</p>
        <p className="told-how">
          {m[kind]} · {words(delivery)}
        </p>
      </div>
    </li>
  )
}

/** What became of a message. */
function useOutcomeWords() {
  const m = useMessages(messages)
  const moment = useMoment()
  const why = (error: string | null): string => {
    const answered = /^The push server answered (\d+)$/.exec(error ?? '')?.[1]
    if (answered !== undefined) return m.answered(answered)
    const known: Readonly<Record<string, string>> = {
      'That address is not allowed': m.notAllowed,
      'The push server did not answer': m.unreachable,
      'The access token cannot be read any more: set it again': m.unreadableToken,
      'It came due more than a day ago': m.tooLate,
    }
    return known[error ?? ''] ?? error ?? ''
  }
  return ({ status, error, attempts, fire_at, sent_at }: DeliveryView): string => {
    if (status === 'sent') return m.sent(moment(sent_at ?? fire_at))
    if (status === 'failed') return m.failed(why(error))
    return error === null ? m.pending(moment(fire_at)) : m.retried(attempts, why(error))
  }
}
