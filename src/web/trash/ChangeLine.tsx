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

interface ChangeLineProps {
  readonly operation: OperationView
  readonly onUndone: () => void
}

/** One thing that was done: what, to what, when and by what; and why it could not be undone. */
export function ChangeLine({ operation, onUndone }: ChangeLineProps) {
  const m = useMessages(messages)
  const words = useOperationWords()
  const moment = useMoment()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const undo = useUndoing()
  const { title, items, credential, undoable } = operation
  const what = words(operation)
  const said = title === null ? what : `${title} (${what})`
  const others = items.length - 1
  const run = async () => {
    setBusy(true)
    const refused = await undo(operation.id, said, 'place')
    setRefusal(refused)
    setBusy(false)
    if (!refused) onUndone()
  }
  const facts = [
    title === null ? undefined : what,
    others > 0 ? m.others(others) : undefined,
    moment(operation.created_at),
    credential.type === 'token' ? m.byToken(credential.name ?? m.ended) : m.byBrowser,
  ]
  return (
    <div className="trash-line">
      <Icon name={items[0] ? KIND_ICONS[items[0].type] : 'info'} />
      <div className="trash-what">
        <p className="told-title">{title ?? what}</p>
        <p className="told-how">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
        <div role="alert" className="field-problem">
          {refusal && <WhyNot refusal={refusal} />}
        </div>
      </div>
      {undoable && (
        <Button aria-label={m.undoWhat(said)} onClick={() => void run()} isBusy={isBusy}>
          <Icon name="undo" />
          {m.undo}
        </Button>
      )}
    </div>
  )
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
