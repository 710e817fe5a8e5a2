import { Type } from '@sinclair/typebox'
import { neverNull } from '../../lib/wire/compact-schema'
import { describedItems, idempotencyKey, itemsOf, readItems } from '../writing/arguments'
import { perform } from '../writing/perform'
import { RECORDS, writableBy } from '../writing/records'
import { listed, readArguments, type Tool } from './tool'

const Arguments = Type.Object({ items: itemsOf(Type.Unknown()), idempotency_key: idempotencyKey })

/** Makes records. */
export const add: Tool = {
  name: 'add',
  isFor: (session) => writableBy(session).length > 0,
  listedFor: (session) =>
    listed(
      {
        name: 'add',
        title: 'Add records',
        description:
          'Adds up to 50 records. Each is done or refused by itself; the answer tells which, and undo takes back all that were done.',
      },
      Type.Object({
        items: describedItems(session, ({ newFields }) =>
          Object.fromEntries(
            Object.entries(newFields.properties).map(([name, schema]) => [name, neverNull(schema)]),
          ),
        ),
        idempotency_key: idempotencyKey,
      }),
      {},
    ),
  call: (assistant, call) => {
    const { items, idempotency_key: key } = readArguments(Arguments, call)
    const steps = readItems(assistant.session, items).map(({ kind, fields, place }) => {
      const make = RECORDS[kind].readNew(fields, place)
      return {
        run: async (doing: typeof assistant) => [{ status: 'done' as const, item: await make(doing) }],
      }
    })
    return perform(assistant, { name: 'assistantAdd', key, given: { items }, steps })
  },
}
