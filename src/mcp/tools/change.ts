import { type TProperties, Type } from '@sinclair/typebox'
import type { ToolAnswer, ToolCall } from '../../lib/ports/assistants'
import { described } from '../../lib/wire/compact-schema'
import type { Assistant } from '../assistant'
import type { AssistantItem } from '../items/item'
import { sharingOf } from '../items/sharing'
import {
  confirmCode,
  describedItems,
  type GivenItem,
  idempotencyKey,
  itemsOf,
  Named,
  readItems,
  readNamed,
} from '../writing/arguments'
import { unlessConfirmed } from '../writing/confirming'
import { namesOf, readRecords } from '../writing/naming'
import { perform, type CallStep } from '../writing/perform'
import { RECORDS, writableBy } from '../writing/records'
import { OwnVersions } from '../writing/versions'
import { listed, readArguments, type Tool } from './tool'

/** More than so many changes are asked for. */
const MOST_UNASKED = 5

const Arguments = Type.Object({
  items: itemsOf(Type.Unknown()),
  confirm: confirmCode,
  idempotency_key: idempotencyKey,
})

/** Changes records: completing, snoozing and moving are changes. */
export const change: Tool = {
  name: 'change',
  isFor: (session) => writableBy(session).length > 0,
  listedFor: (session) =>
    listed(
      {
        name: 'change',
        title: 'Change records',
        description:
          'Changes up to 50 records by id and version; only the given fields, as add describes them. Completing (completed, status, is_dismissed), snoozing and moving are changes, too. The user is asked about more than 5 records, series and shared calendars.',
      },
      Type.Object({
        items: describedItems(session, ({ newFields, changedFields }) => ({
          ...Named.properties,
          ...describedBy(newFields.properties, changedFields.properties),
        })),
        confirm: confirmCode,
        idempotency_key: described(idempotencyKey),
      }),
      { isDestructive: true },
    ),
  call: (assistant, call) => {
    const { items, confirm, idempotency_key: key } = readArguments(Arguments, call)
    const given = readItems(assistant.session, items)
    const own = new OwnVersions()
    return perform(assistant, {
      name: 'assistantChange',
      key,
      given: { items },
      steps: given.map((item) => stepOf(item, own)),
      ask: () => ask(assistant, { call, confirm, items }, given),
    })
  },
}

/** The fields, without the descriptions of those that `add` describes: the list has to be short. */
const describedBy = (known: TProperties, fields: TProperties): TProperties =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, name in known ? described(schema) : schema]),
  )

function stepOf(item: GivenItem, own: OwnVersions): CallStep {
  const { id, version, rest } = readNamed(item)
  const { kind, place } = item
  const apply = RECORDS[kind].readChange(rest, place)
  return {
    run: async (assistant) => {
      const changed = await apply(assistant, { id, expected: own.expected(kind, id, version) })
      own.note(kind, id, changed)
      return [{ status: 'done', item: changed }]
    },
    readNow: (assistant) => RECORDS[kind].read(assistant, id),
  }
}

interface Questionable {
  readonly call: ToolCall
  readonly confirm: string | undefined
  readonly items: readonly unknown[]
}

/** Asks about many records, series and shared calendars; undefined when nothing is to be asked, or the user agreed. */
async function ask(
  assistant: Assistant,
  { call, confirm, items }: Questionable,
  given: readonly GivenItem[],
): Promise<ToolAnswer | undefined> {
  const named = given.map((item) => ({ ...item, id: readNamed(item).id }))
  const isMany = given.length > MOST_UNASKED
  const events = named.filter(({ kind }) => kind === 'event')
  if (!isMany && events.length === 0) return undefined
  const records = await readRecords(assistant, isMany ? named : events)
  if (!isMany && !(await concernsMore(assistant, events, records))) return undefined
  const message = `Change ${namesOf(records)}?`
  return unlessConfirmed(assistant, { call, confirm, given: { items }, message })
}

/** Whether a series or a shared calendar changes. */
async function concernsMore(
  assistant: Assistant,
  events: readonly GivenItem[],
  records: readonly AssistantItem[],
): Promise<boolean> {
  if (records.some(({ access }) => access !== undefined)) return true
  const isSeries = new Set(
    records.filter(({ recurrence_rule }) => recurrence_rule !== undefined).map(({ id }) => id),
  )
  if (events.some(({ fields }) => fields['scope'] !== 'this' && isSeries.has(Number(fields['id']))))
    return true
  const places = [...records, ...events.map(({ fields }) => fields)].map((one) => one['calendar_id'])
  const sharing = await sharingOf(
    assistant,
    places.filter((id) => typeof id === 'number'),
  )
  return [...sharing.values()].some(({ isShared }) => isShared)
}
