import { Type } from '@sinclair/typebox'
import { described } from '../../lib/wire/compact-schema'
import type { ToolAnswer, ToolCall } from '../../lib/ports/assistants'
import type { Assistant } from '../assistant'
import {
  confirmCode,
  type GivenItem,
  idempotencyKey,
  itemsOf,
  Named,
  readItems,
  readNamed,
} from '../writing/arguments'
import { unlessConfirmed } from '../writing/confirming'
import { unlessGone } from '../refusals'
import { scopeFields } from '../writing/kinds'
import { namesOf, readRecords } from '../writing/naming'
import { perform, type CallStep } from '../writing/perform'
import { RECORDS, writableBy } from '../writing/records'
import { OwnVersions } from '../writing/versions'
import { listed, readArguments, type Tool } from './tool'

const Arguments = Type.Object({
  items: itemsOf(Type.Unknown()),
  confirm: confirmCode,
  idempotency_key: idempotencyKey,
})

/** Deletes records, once the user has agreed. */
export const remove: Tool = {
  name: 'delete',
  isFor: (session) => writableBy(session).length > 0,
  listedFor: (session) =>
    listed(
      {
        name: 'delete',
        title: 'Delete records',
        description:
          'Deletes up to 50 records by id and version. The user is asked first. undo brings them back.',
      },
      Type.Object({
        items: itemsOf(
          Type.Object({
            type: Type.Union(writableBy(session).map((kind) => Type.Literal(kind))),
            ...Named.properties,
            ...(writableBy(session).includes('event') && {
              occurrence: described(scopeFields.occurrence),
              scope: described(scopeFields.scope),
            }),
          }),
        ),
        confirm: described(confirmCode),
        idempotency_key: described(idempotencyKey),
      }),
      { isDestructive: true, isIdempotent: true },
    ),
  call: (assistant, call) => {
    const { items, confirm, idempotency_key: key } = readArguments(Arguments, call)
    const given = readItems(assistant.session, items)
    const own = new OwnVersions()
    return perform(assistant, {
      name: 'assistantDelete',
      key,
      given: { items },
      steps: given.map((item) => stepOf(item, own)),
      ask: () => ask(assistant, { call, confirm, items }, given),
    })
  },
}

function stepOf(item: GivenItem, own: OwnVersions): CallStep {
  const { id, version, rest } = readNamed(item)
  const { kind, place, fields } = item
  const apply = RECORDS[kind].readDeletion(rest, place)
  return {
    run: async (assistant) => {
      await apply(assistant, { id, expected: own.expected(kind, id, version) })
      const isWhole = fields['scope'] === undefined || fields['scope'] === 'all'
      // From its first occurrence on, a series goes as a whole.
      const left = isWhole ? undefined : await RECORDS[kind].read(assistant, id).catch(unlessGone)
      if (!left) return [{ status: 'deleted', type: kind, id }]
      own.note(kind, id, left)
      return [{ status: 'done', item: left }]
    },
    readNow: (assistant) => RECORDS[kind].read(assistant, id),
  }
}

interface Questionable {
  readonly call: ToolCall
  readonly confirm: string | undefined
  readonly items: readonly unknown[]
}

/** Always asks; only what is not there needs no word. */
async function ask(
  assistant: Assistant,
  { call, confirm, items }: Questionable,
  given: readonly GivenItem[],
): Promise<ToolAnswer | undefined> {
  const records = await readRecords(
    assistant,
    given.map((item) => ({ kind: item.kind, id: readNamed(item).id })),
  )
  if (records.length === 0) return undefined
  return unlessConfirmed(assistant, {
    call,
    confirm,
    given: { items },
    message: `Delete ${namesOf(records)}?`,
  })
}
