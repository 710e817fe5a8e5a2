import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType as Type } from '@sinclair/typebox/errors'
import type { FieldProblem } from '../errors'
import { customProblem } from './schema-kinds'
import { cut } from '../text'

/** Unknown field names come from the client and can be of any length. */
const MAX_NAME_LENGTH = 64

/**
 * Turns TypeBox errors into one problem for each field, without repeating any value. `place` is `body`, `query` or `params`.
 */
export function fieldProblems(place: string, found: readonly ValueError[]): FieldProblem[] {
  const byField = new Map<string, FieldProblem>()
  for (const error of found) {
    // Elysia strips unknown fields before validation, and TypeBox reports them beside the real errors. Those that
    // `strictObject` refuses have another error type.
    if (error.type === Type.ObjectAdditionalProperties) continue
    const field = [place, ...pointerParts(error.path)].map((part) => cut(part, MAX_NAME_LENGTH)).join('.')
    // The first error of a field explains the others.
    if (!byField.has(field)) byField.set(field, { field, message: explain(error) })
  }
  return [...byField.values()]
}

/** RFC 6901. */
const pointerParts = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function explain(error: ValueError): string {
  if (error.value === undefined) return 'is required'
  if (error.type === Type.Union) return explainUnion(error)
  if (error.type === Type.Kind) return customProblem(error.schema, error.value) ?? 'is not valid'
  const message = MESSAGES[error.type]
  return message ? message(error.schema) : 'is not valid'
}

const MESSAGES: Partial<Record<Type, (schema: TSchema) => string>> = {
  [Type.Never]: () => 'is not a known field',
  [Type.Object]: () => 'must be an object',
  [Type.Array]: () => 'must be a list',
  [Type.ObjectMinProperties]: () => 'must name at least one field',
  [Type.ArrayMinItems]: ({ minItems }) => `must have at least ${minItems} entries`,
  [Type.ArrayMaxItems]: ({ maxItems }) => `must have at most ${maxItems} entries`,
  [Type.ArrayUniqueItems]: () => 'must not name anything twice',
  [Type.String]: () => 'must be a string',
  [Type.StringPattern]: (schema) => schema['x-problem'] ?? 'is not valid',
  [Type.StringFormat]: (schema) => schema['x-problem'] ?? 'is not valid',
  [Type.Boolean]: () => 'must be true or false',
  [Type.Integer]: () => 'must be a whole number',
  [Type.IntegerMinimum]: ({ minimum }) => `must be at least ${minimum}`,
  [Type.IntegerMaximum]: ({ maximum }) => `must be at most ${maximum}`,
  [Type.Number]: () => 'must be a number',
  [Type.NumberMinimum]: ({ minimum }) => `must be at least ${minimum}`,
  [Type.NumberMaximum]: ({ maximum }) => `must be at most ${maximum}`,
  [Type.Literal]: (schema) => `must be ${JSON.stringify(schema.const)}`,
}

function explainUnion({ schema, errors }: ValueError): string {
  const variants: TSchema[] = schema['anyOf'] ?? []
  if (variants.every((variant) => 'const' in variant)) {
    return `must be one of ${variants.map((variant) => variant['const']).join(', ')}`
  }
  // For a nullable field, report what is wrong with the non-null variant.
  const [first] = errors[variants.findIndex((variant) => variant['type'] !== 'null')] ?? []
  return first ? explain(first) : 'is not valid'
}
