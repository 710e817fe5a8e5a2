import { isList, isObject, type Json, type JsonObject, mapMembers, toJson } from './openapi.values'

/** Annotations for ourselves, TypeBox or OpenAPI 3.0. */
const PRIVATE = new Set(['$id', 'error', 'nullable', 'x-problem', 'x-omittable'])
const ONE_SCHEMA = new Set(['items', 'not', 'additionalProperties'])
const SCHEMA_LIST = new Set(['anyOf', 'allOf', 'oneOf'])
const SCHEMA_MAP = new Set(['properties', 'patternProperties'])

export interface SchemaCollector {
  /** `schema` as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. */
  convert(schema: Json): Json
  /** Every schema that has a name, by its name. */
  components(): JsonObject
}

/** Schemas that carry a `title` become components of that name, and their uses references. */
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
    // `t.Never()`: no further members.
    if (keyword === 'additionalProperties' && isObject(value) && isObject(value.not)) return false
    if (ONE_SCHEMA.has(keyword)) return convert(value)
    if (SCHEMA_LIST.has(keyword) && isList(value)) return value.map(convert)
    if (SCHEMA_MAP.has(keyword)) return mapMembers(value, convert)
    return value
  }

  return { convert, components: () => sorted(Object.fromEntries(components)) }
}

/** Elysia marks the objects that it strips, once a request has come by: unknown members are ignored, not refused. */
const isElysiaMark = (keyword: string, value: Json) => keyword === 'additionalProperties' && value === false

/** So that the same schema reads the same wherever it is written. */
const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** A union of literals of one type, as the `enum` that readers and generators expect. */
function asEnum(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!isList(anyOf)) return schema
  const literals = anyOf.filter(isObject).filter((option) => option.const !== undefined)
  const type = literals[0]?.type
  const isPlain = literals.every((option) => option.type === type && Object.keys(option).length === 2)
  if (type === undefined || literals.length < anyOf.length || !isPlain) return schema
  return { ...rest, type, enum: toJson(literals.map((option) => option.const)) }
}

/** `anyOf: [X, null]`, as X whose type may also be null. References and constants stay a union. */
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
