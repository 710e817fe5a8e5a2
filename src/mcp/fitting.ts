import { jsonBytes } from '../lib/text'
import type { ToolAnswer } from '../lib/ports/assistants'
import { type AssistantItem, beginningOf } from './items/item'

/** The most bytes of an answer, as JSON: what an assistant reads, it cannot spend on anything else. */
const MOST_BYTES = 8192
/** The protocol's own words around an answer. */
const FRAME_BYTES = 192
/** The longest text of an item that would not fit alone. */
const SHORT_TEXT = 60

type Result = Extract<ToolAnswer, { kind: 'result' }>

const utf8 = new TextEncoder()

export const fits = ({ text, structured }: Pick<Result, 'text' | 'structured'>): boolean =>
  jsonBytes(text) + utf8.encode(JSON.stringify(structured)).byteLength <= MOST_BYTES - FRAME_BYTES

/** The greatest number up to `most` for which the answer fits; at least `least`. */
export function mostThatFit(most: number, least: number, build: (count: number) => Result): Result {
  for (let count = most; count > least; count--) {
    const answer = build(count)
    if (fits(answer)) return answer
  }
  return build(least)
}

/** The item with short texts. */
export const shortened = (item: AssistantItem): AssistantItem => {
  const { type, id, version, ...fields } = item
  return {
    type,
    id,
    ...(version !== undefined && { version }),
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortOf(value)])),
  }
}

function shortOf(value: unknown): unknown {
  if (typeof value === 'string') return beginningOf(value, SHORT_TEXT)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortOf(inner)]))
}
