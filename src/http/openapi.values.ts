/** A value as JSON has it; the document is built from these alone, so nothing of TypeBox is left in it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !isList(json)

export const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)

/** The members of an object; none of anything else. */
export const membersOf = (json: Json | undefined): Array<[string, Json]> =>
  isObject(json) ? Object.entries(json) : []

export const objectOf = (json: Json | undefined): JsonObject => (isObject(json) ? json : {})

export const mapMembers = (json: Json | undefined, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(membersOf(json).map(([key, value]) => [key, change(value, key)]))

/** What `value` becomes on the wire: without functions, symbols and members that are undefined. */
export function toJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value))
  return json
}
