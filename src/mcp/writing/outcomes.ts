import { type Static, Type } from '@sinclair/typebox'
import type { ToolAnswer } from '../../lib/ports/assistants'
import { type Assistant, zoneFor } from '../assistant'
import { fits, mostThatFit } from '../fitting'
import { type AssistantItem, isUntrusted } from '../items/item'
import { lineOf } from '../items/lines'
import type { RefusalView } from '../refusals'

/** What became of one item of a call (contract: assistants.batches). */
export type ItemOutcome =
  | { readonly status: 'done' | 'restored'; readonly item: AssistantItem }
  | { readonly status: 'deleted'; readonly type: string; readonly id: number }
  | {
      readonly status: 'refused'
      readonly refusal: RefusalView
      /** The record as it is now, where the call knew an older version. */
      readonly now?: AssistantItem
    }

/** What is kept of outcomes for a repeated call: nothing that a record says. */
export const KeptOutcomes = Type.Object({
  outcomes: Type.Array(
    Type.Object({
      status: Type.Union([
        Type.Literal('done'),
        Type.Literal('restored'),
        Type.Literal('deleted'),
        Type.Literal('refused'),
      ]),
      type: Type.Optional(Type.String()),
      id: Type.Optional(Type.Integer()),
      detail: Type.Optional(Type.String()),
    }),
  ),
  /** How many of the outcomes the answer does not name. */
  more: Type.Optional(Type.Integer()),
})
export type KeptOutcomes = Static<typeof KeptOutcomes>
export type KeptOutcome = KeptOutcomes['outcomes'][number]

export function toKept(outcome: ItemOutcome): KeptOutcome {
  if (outcome.status === 'refused') return { status: 'refused', detail: outcome.refusal.detail }
  if (outcome.status === 'deleted') return { status: 'deleted', type: outcome.type, id: outcome.id }
  const { type, id } = outcome.item
  return { status: outcome.status, type, ...(id !== null && { id }) }
}

/** The call as a whole. */
export interface Whole {
  /** Undefined when nothing was changed. */
  readonly operationId: string | undefined
  readonly isReplayed?: boolean
  readonly outcomes: readonly ItemOutcome[]
  readonly more?: number
}

/** How much is told of each item: the rest is a matter of bytes. */
const DEPTHS = ['whole', 'named', 'bare'] as const
type Depth = (typeof DEPTHS)[number]

/** The most outcomes in an answer: an undo has any number. */
export const MOST_TOLD = 50

/** Tells the first outcomes, in as much detail as fits; an error only where every item was refused. */
export function answerOutcomes(assistant: Assistant, whole: Whole): ToolAnswer {
  const build = (depth: Depth, count: number) => toAnswer(assistant, whole, { depth, count })
  const most = Math.min(whole.outcomes.length, MOST_TOLD)
  for (const depth of DEPTHS) {
    const answer = build(depth, most)
    if (fits(answer)) return answer
  }
  return mostThatFit(most, 1, (count) => build('bare', count))
}

function toAnswer(
  assistant: Assistant,
  { operationId, isReplayed, outcomes, more = 0 }: Whole,
  { depth, count }: { readonly depth: Depth; readonly count: number },
) {
  const refused = outcomes.filter(({ status }) => status === 'refused').length
  const isError = refused > 0 && refused === outcomes.length
  const shown = outcomes.slice(0, count)
  const untold = outcomes.length - count + more
  const summary = summaryOf(outcomes.length + more - refused, refused)
  const lines = shown.map((outcome, index) => `${index}: ${lineOfOutcome(outcome, depth)}`)
  const undo = operationId === undefined ? [] : [`operation_id ${operationId}`]
  return {
    kind: 'result' as const,
    isError,
    text: [summary, ...lines, ...undo].join('\n'),
    structured: {
      ...(operationId !== undefined && { operation_id: operationId }),
      ...(isReplayed && { replayed: true }),
      time_zone: zoneFor(assistant),
      results: shown.map((outcome, index) => ({ index, ...toResult(outcome, depth) })),
      ...(untold > 0 && { more: untold }),
    },
  }
}

const summaryOf = (done: number, refused: number) =>
  refused === 0 ? `${done} done` : `${done} done, ${refused} refused`

function toResult(outcome: ItemOutcome, depth: Depth): Readonly<Record<string, unknown>> {
  if (outcome.status === 'refused') {
    const { refusal, now } = outcome
    return { status: 'refused', ...refusal, ...(now && { now: trusted(itemAt(now, depth)) }) }
  }
  if (outcome.status === 'deleted') return outcome
  return { status: outcome.status, ...itemAt(outcome.item, depth) }
}

function itemAt(item: AssistantItem, depth: Depth): AssistantItem {
  if (depth === 'whole') return item
  const { type, id, version, title } = item
  const bare = { type, id, ...(version !== undefined && { version }) }
  return depth === 'named' && typeof title === 'string' ? { ...bare, title } : bare
}

/** The item without what others wrote, which is never part of a refusal. */
const trusted = ({ type, id, version, ...fields }: AssistantItem): AssistantItem => ({
  type,
  id,
  ...(version !== undefined && { version }),
  ...Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isUntrusted(value) && name !== 'shared_profile'),
  ),
})

function lineOfOutcome(outcome: ItemOutcome, depth: Depth): string {
  if (outcome.status === 'deleted') return `deleted ${outcome.type} ${outcome.id}`
  if (outcome.status === 'refused') {
    const version = outcome.now?.version
    return version === undefined
      ? outcome.refusal.detail
      : `${outcome.refusal.detail}: now version ${version}`
  }
  return `${outcome.status} ${lineOf(itemAt(outcome.item, depth))}`
}
