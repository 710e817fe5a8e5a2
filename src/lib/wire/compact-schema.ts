/** What programs that fill in a form need not know: where they are wrong, they are told. */
const LEFT_OUT = new Set([
  'title',
  'examples',
  'pattern',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'x-problem',
  'x-omittable',
])

/** Marks a schema of which less is to be said: its description stands elsewhere, or null is the same as no value. */
export const described = <Schema extends object>(schema: Schema) => ({ ...schema, [ELSEWHERE]: true })
export const neverNull = <Schema extends object>(schema: Schema) => ({ ...schema, [NEVER_NULL]: true })
const [ELSEWHERE, NEVER_NULL] = ['x-described', 'x-never-null'] as const

/**
 * A schema as plain JSON Schema in few bytes: literals become one `enum`, and a value that may be null says so in its `type`.
 */
export function compactSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compactSchema)
  if (!isObject(schema)) return schema
  const { anyOf, properties, ...rest } = schema
  const kept = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, value]) => [name, compactSchema(value)]),
  )
  const fields = isObject(properties) && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, compactSchema(value)]),
    ),
  }
  return marked({ ...(Array.isArray(anyOf) && alternatives(anyOf.map(compactSchema))), ...kept, ...fields })
}

/** The schema as its marks want it. A constant tells its type. */
function marked({ [ELSEWHERE]: isDescribed, [NEVER_NULL]: isNeverNull, ...schema }: Json): Json {
  const { type, enum: words } = schema
  const changes = {
    ...(isDescribed === true && { description: undefined }),
    ...('const' in schema && { type: undefined }),
    ...(isNeverNull === true && Array.isArray(type) && { type: type[0] }),
    ...(isNeverNull === true && Array.isArray(words) && { enum: words.filter((word) => word !== null) }),
  }
  return Object.fromEntries(
    Object.entries({ ...schema, ...changes }).filter(([, value]) => value !== undefined),
  )
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function alternatives(variants: readonly unknown[]): Json {
  const objects = variants.filter(isObject)
  const some = objects.filter(({ type }) => type !== 'null')
  const isNullable = some.length < objects.length
  const one = some.every((variant) => 'const' in variant)
    ? { type: 'string', enum: some.map((variant) => variant['const']) }
    : some.length === 1
      ? some[0]
      : undefined
  if (!one) return { anyOf: objects }
  return isNullable ? withNull(one) : one
}

/** An `enum` must name null, too. */
function withNull({ type, enum: words, ...rest }: Json): Json {
  return { type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }), ...rest }
}
