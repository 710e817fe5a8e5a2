import type { Static, TObject } from '@sinclair/typebox'
import type { CurrentSession } from '../../access/sessions/service'
import type { ListedTool, ToolAnswer, ToolCall } from '../../lib/ports/assistants'
import { readValue } from '../../lib/wire/schema-reading'
import { compactSchema } from '../../lib/wire/compact-schema'
import type { Assistant } from '../assistant'

/** What a call does, as programs judge it before they make it. */
interface Effect {
  readonly isReading?: boolean
  readonly isDestructive?: boolean
  /** Whether the same call again changes nothing more. */
  readonly isIdempotent?: boolean
}

/** A tool (contract: assistants.tools). */
export interface Tool {
  readonly name: string
  /** Whether a caller with these scopes has the tool. */
  readonly isFor: (session: CurrentSession) => boolean
  /** As callers with these scopes find it in the list. */
  readonly listedFor: (session: CurrentSession) => ListedTool
  readonly call: (assistant: Assistant, call: ToolCall) => Promise<ToolAnswer>
}

/** How a tool stands in the list. The schema is plain JSON in the end. */
export function listed(
  { name, title, description }: Pick<ListedTool, 'name' | 'title' | 'description'>,
  schema: TObject,
  { isReading = false, isDestructive = false, isIdempotent = false }: Effect,
): ListedTool {
  const { properties, required } = schema
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, value]) => [field, compactSchema(toJson(value))]),
      ),
      ...(required && { required }),
    },
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: isDestructive,
      idempotentHint: isReading || isIdempotent,
      openWorldHint: false,
    },
  }
}

/** Without the marks that only this service reads. */
const toJson = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))

/** The arguments of a call. @throws {AppError} 422. */
export const readArguments = <Schema extends TObject>(schema: Schema, { given }: ToolCall): Static<Schema> =>
  readValue(schema, given, 'arguments')
