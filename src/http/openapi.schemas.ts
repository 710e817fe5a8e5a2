import { isList, isObject, type Json, type JsonObject, mapMembers, toJson } from './openapi.values'

/** Keywords for our own use, for TypeBox or for OpenAPI 3.0, which the document must not contain. */
const PRIVATE = new Set(['$id', 'error', 'nullable', 'x-problem', 'x-omittable'])
const ONE_SCHEMA = new Set(['items', 'not', 'additionalProperties'])
const SCHEMA_LIST = new Set(['anyOf', 'allOf', 'oneOf'])
const SCHEMA_MAP = new Set(['properties', 'patternProperties'])

export interface SchemaCollector {
  /** Converts to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
  convert(schema: Json): Json
  /** All titled schemas, by title. */
  components(): JsonObject
}

/** Turns schemas with a `title` into components of that name, and their uses into references. */
export function collectSchemas(): SchemaCollector {
  const components = new Map<string, Json>()

  const convert = (schema: Json): Json => {
    if (!isObject(schema)) return schema
    const plain = sorted(asNullableType(asEnum(convertKeywords(schema))))
    return typeof plain.title === 'string' ? refer(plain.title, plain) : plain
  }

  const refer = (title: string, schema: JsonObject): JsonObject => {
    const known = components.get(title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are titled ${title}`)
    }
    components.set(title, schema)
    return { $ref: `#/components/schemas/${title}` }
  }

  const convertKeywords = (schema: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword, value]) => !PRIVATE.has(keyword) && !isElysiaMark(keyword, value))
        .map(([keyword, value]) => [keyword, convertKeyword(keyword, value)]),
    )

  const convertKeyword = (keyword: string, value: Json): Json => {
    // `t.Never()` means that no further members are allowed.
    if (keyword === 'additionalProperties' && isObject(value) && isObject(value.not)) return false
    if (ONE_SCHEMA.has(keyword)) return convert(value)
    if (SCHEMA_LIST.has(keyword) && isList(value)) return value.map(convert)
    if (SCHEMA_MAP.has(keyword)) return mapMembers(value, convert)
    return value
  }

  return { convert, components: () => sorted(Object.fromEntries(components)) }
}

/**
 * Elysia adds this to the schemas whose unknown members it strips, at their first request. The members are ignored, not
 * refused, so the document must not say it.
 */
const isElysiaMark = (keyword: string, value: Json) => keyword === 'additionalProperties' && value === false

/** Sorts the members, so that equal schemas are equal as JSON. */
const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Converts a union of literals of one type to an `enum`, which readers and generators expect. */
function asEnum(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!isList(anyOf)) return schema
  const literals = anyOf.filter(isObject).filter((option) => option.const !== undefined)
  const type = literals[0]?.type
  const isPlain = literals.every((option) => option.type === type && Object.keys(option).length === 2)
  if (type === undefined || literals.length < anyOf.length || !isPlain) return schema
  return { ...rest, type, enum: toJson(literals.map((option) => option.const)) }
}

/** Converts `anyOf: [X, null]` to X with a type that allows null. References and constants stay a union. */
function asNullableType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!isList(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing] = anyOf
  if (!isObject(value) || !isObject(nothing) || nothing.type !== 'null') return schema
  if (typeof value.type !== 'string' || value.const !== undefined) return schema
  return {
    ...value,
    ...rest,
    type: [value.type, 'null'],
    ...(isList(value.enum) && { enum: [...value.enum, null] }),
  }
}
