import { Type } from '@sinclair/typebox'
import { described } from '../../lib/wire/compact-schema'
import type { ChangeView } from '../../features/overview/changes/model'
import { undoOperation } from '../../features/overview/operations/service'
import { verbatim } from '../../lib/wire/schema'
import { idempotencyKey } from '../writing/arguments'
import type { ItemOutcome } from '../writing/outcomes'
import { perform, type CallStep } from '../writing/perform'
import { writableBy } from '../writing/records'
import { listed, readArguments, type Tool } from './tool'

const Arguments = Type.Object({
  operation_id: verbatim({ max: 36, description: 'Of the answer to add, change, delete or undo.' }),
  idempotency_key: described(idempotencyKey),
})

/** Makes everything as it was before an operation. */
export const undo: Tool = {
  name: 'undo',
  isFor: (session) => writableBy(session).length > 0,
  listedFor: () =>
    listed(
      {
        name: 'undo',
        title: 'Undo an operation',
        description:
          'Makes everything that an operation changed as it was before, within 30 days, unless it has changed since. Undoing an undo does it again.',
      },
      Arguments,
      { isDestructive: true },
    ),
  call: (assistant, call) => {
    const { operation_id: id, idempotency_key: key } = readArguments(Arguments, call)
    const step: CallStep = {
      run: async ({ deps, session }) => (await undoOperation(deps, session, id)).changes.map(toOutcome),
    }
    return perform(assistant, { name: 'assistantUndo', key, given: { operation_id: id }, steps: [step] })
  },
}

const toOutcome = ({ type, id, op, version }: ChangeView): ItemOutcome =>
  op === 'delete'
    ? { status: 'deleted', type, id }
    : { status: 'restored', item: { type, id, ...(version !== null && { version }) } }
