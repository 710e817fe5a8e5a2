import { useState } from 'react'
import type { OperationView } from '../../features/overview/operations/model'
import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { useMoment } from '../time/use-moment'
import { messages } from './changes.messages'
import { useOperationWords } from './operation-words'
import { useUndoing } from './use-undoing'
import { KIND_ICONS, kindNames } from './words'

/** One thing that was done: what, to what, when and by what; and why it could not be undone. */
export function ChangeLine({ operation }: { readonly operation: OperationView }) {
  const what = useOperationWords()(operation)
  const { title, items, undoable } = operation
  const { refusal, ...undoing } = useTurning(operation.id, title === null ? what : `${title} (${what})`)
  return (
    <div className="trash-line">
      <Icon name={items[0] ? KIND_ICONS[items[0].type] : 'info'} />
      <div className="trash-what">
        <p className="told-title">{title ?? what}</p>
        <p className="told-how">
          <Facts operation={operation} what={title === null ? undefined : what} />
        </p>
        <div role="alert" className="field-problem">
          {refusal && <WhyNot refusal={refusal} />}
        </div>
      </div>
      {undoable && <Button kind="quiet" {...undoing} />}
    </div>
  )
}

interface FactsProps {
  readonly operation: OperationView
  readonly what: string | undefined
}

function Facts({ operation: { items, created_at, credential }, what }: FactsProps) {
  const m = useMessages(messages)
  const moment = useMoment()
  const others = items.length - 1
  const facts = [
    what,
    others > 0 ? m.others(others) : undefined,
    moment(created_at),
    credential.type === 'token' ? m.byToken(credential.name ?? m.ended) : m.byBrowser,
  ]
  return facts.filter((fact) => fact !== undefined).join(' · ')
}

/** The button that undoes an operation, and then does it again; it stays, as it has the focus. */
function useTurning(operationId: string, said: string) {
  const m = useMessages(messages)
  const undo = useUndoing()
  const [isBusy, setBusy] = useState(false)
  const [last, setLast] = useState(operationId)
  const [isTurned, setTurned] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const run = async () => {
    setBusy(true)
    const outcome = await undo(last, said, { done: isTurned ? m.redone(said) : undefined, isTold: false })
    setBusy(false)
    if (!('undoneBy' in outcome)) return setRefusal(outcome)
    setRefusal(undefined)
    // What does it again is an operation of its own, and undoing that is once more undoing.
    setLast(outcome.undoneBy)
    setTurned(!isTurned)
  }
  return {
    refusal,
    isBusy,
    onClick: () => void run(),
    'aria-label': isTurned ? m.redoWhat(said) : m.undoWhat(said),
    children: (
      <>
        <Icon name={isTurned ? 'repeat' : 'undo'} />
        {isTurned ? m.redo : m.undo}
      </>
    ),
  }
}

/** Why something cannot be undone; what stands in the way is named. */
function WhyNot({ refusal }: { readonly refusal: Refusal }) {
  const m = useMessages(messages)
  const kinds = useMessages(kindNames)
  const { sentence } = useRefusals()
  if (refusal.status === 410 || refusal.status === 404) return m.tooOld
  if (refusal.code !== 'changed_since') return sentence(refusal)
  const items = refusal.items.filter(isNamedKind)
  if (items.length === 0) return m.changedSince
  return (
    <>
      {m.changedSinceBy}
      <ul>
        {items.map(({ type, id, title }) => (
          <li key={`${type} ${id}`}>{type === 'settings' ? kinds.settings : `${title} (${kinds[type]})`}</li>
        ))}
      </ul>
    </>
  )
}

const isNamedKind = (
  item: Refusal['items'][number],
): item is Refusal['items'][number] & { type: keyof typeof KIND_ICONS } =>
  Object.hasOwn(KIND_ICONS, item.type)
