import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type FieldProblem, invalid } from '../errors'
import { fieldProblems } from './schema-problems'

/**
 * Reads a value that no route has checked, as the schema decodes it. `place` names it in the refusal, such as `items.0`.
 * @throws {AppError} 422, also for fields that the schema does not have.
 */
export function readValue<Schema extends TObject>(
  schema: Schema,
  value: unknown,
  place: string,
): Static<Schema> {
  const problems = [
    ...unknownFields(schema, value, place),
    ...fieldProblems(place, [...Value.Errors(schema, value)]),
  ]
  if (problems.length > 0) throw invalid(problems)
  return Value.Decode<Schema, Static<Schema>>(schema, value)
}

/** Names from the client can be long, and are not repeated. */
const MAX_NAME_LENGTH = 64

function unknownFields({ properties }: TObject, value: unknown, place: string): FieldProblem[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({
      field: `${place}.${name.slice(0, MAX_NAME_LENGTH)}`,
      message: 'is not a known field',
    }))
}
