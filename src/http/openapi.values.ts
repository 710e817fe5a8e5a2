/** A JSON value. The document is built from these alone, so that no TypeBox objects remain in it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !isList(json)

export const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)

/** The members of an object; empty for any other value. */
export const membersOf = (json: Json | undefined): Array<[string, Json]> =>
  isObject(json) ? Object.entries(json) : []

export const objectOf = (json: Json | undefined): JsonObject => (isObject(json) ? json : {})

export const mapMembers = (json: Json | undefined, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(membersOf(json).map(([key, value]) => [key, change(value, key)]))

/** Converts to JSON, which drops functions, symbols and undefined members. */
export function toJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value))
  return json
}
