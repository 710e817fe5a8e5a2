import { codeAt } from '../support/authenticator-app'
import { Authenticator } from '../support/authenticator'
import { PASSWORD } from '../support/harness'
import type { operationsOf } from '../support/openapi'
import type { Cast, Person } from './cast'
import { type Draw, drawing } from './draw'
import { fileOf } from './files'
import { collectionsOf, type Ids } from './pool'
import { fieldsOf, inOrder, resolve, type Schema, type Site, validObject, validValue } from './schemas'
import { OTHER_IDS, OTHER_TYPES, spoilt, spoiltText, wrongValue } from './spoiling'

export type Operation = ReturnType<typeof operationsOf>[number]

/** Begins every marker, so that what an earlier request left behind shows too; names of fields hold none, as errors tell them. */
export const MARK = 'zqmark'

export interface Sent {
  readonly operation: Operation
  readonly person: Person
  readonly ids: Ids
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

export interface Setting {
  readonly cast: Cast
  readonly person: Person
  readonly schemas: Readonly<Record<string, Schema>>
  readonly seed: number
  /** Nothing is spoilt. */
  readonly isHonest?: boolean
}

/** No record has it. */
export const ABSENT = '2147483647'

/** One request for an operation: who, where, with what. Two in three are meant to be good. */
export async function requestFor(operation: Operation, setting: Setting): Promise<Sent> {
  const draw = drawing(setting.seed)
  const marker = `${MARK}${draw.nat(9999)}`
  const isHonest = setting.isHonest === true || draw.percent(60)
  const site = siteOf(setting, { draw, marker })
  const ids = idsOf(operation, setting, { draw, isHonest })
  const body = await bodyOf(operation, setting, { site, ids, isHonest })
  const headers = headersOf(operation, setting, { site, isHonest })
  return {
    operation,
    person: setting.person,
    ids,
    query: queryOf(operation, { site, isHonest }),
    headers: { ...(body && { 'content-type': body.type }), ...headers },
    body: body?.content,
  }
}

/** The path of an operation with these ids in the places of its parameters. */
export function pathWith(path: string, ids: Ids): string {
  let used = 0
  return path.replaceAll(/\{\w+\}/g, () => ids[used++] ?? ABSENT)
}

interface Drawn {
  readonly site: Site
  readonly isHonest: boolean
}

const siteOf = ({ cast, person, schemas }: Setting, drawn: Pick<Site, 'draw' | 'marker'>): Site => ({
  ...drawn,
  schemas,
  now: cast.h.clock.now(),
  suggest: (name, schema) =>
    // What has to be of a pattern is mostly about to become somebody's name, which has to be new.
    name.endsWith('name') && schema.pattern !== undefined ? [] : suggestions(cast, person, name),
})

/** What a person would type into a field of this name. */
function suggestions(cast: Cast, person: Person, name: string): readonly unknown[] {
  const { pool } = person
  switch (name) {
    case 'password':
    case 'old_password':
      return [PASSWORD]
    case 'new_password':
      return ['a whole new password']
    case 'username':
      return [person.username]
    case 'network_name':
      return Object.values(cast.people).map(({ networkName }) => networkName)
    case 'code':
      return codesOf(cast, person)
    case 'title':
    case 'name':
    case 'description':
      return []
    default:
      // Nobody invites or asks themselves.
      return [...pool.idsFor(name), ...pool.values(name)].filter((value) => value !== person.id)
  }
}

/** Two in three of the authenticator, the rest backup codes. */
const codesOf = ({ h }: Cast, { pool }: Person) => {
  const codes = pool
    .values('secret')
    .slice(-2)
    .map((secret) => codeAt(String(secret), h.clock.now()))
  return [...codes, ...codes, ...pool.values('backup_code').slice(-1)]
}

function idsOf(
  { path }: Operation,
  { cast, person }: Setting,
  { draw, isHonest }: { draw: Draw; isHonest: boolean },
): Ids {
  const collections = collectionsOf(path)
  const deepest = collections.at(-1)
  if (deepest === undefined) return []
  const found = draw.oneOf(person.pool.records(deepest)) ?? partly(person, collections)
  if (isHonest || draw.percent(60)) return found
  const others = Object.values(cast.people).filter(
    (other) => other !== person && !path.startsWith('/api/admin'),
  )
  const foreign = draw.oneOf(others.flatMap(({ pool }) => pool.records(deepest)))
  const gone = draw.oneOf(person.pool.deleted(deepest))
  const broken = found.with(draw.nat(found.length - 1), draw.pick(OTHER_IDS))
  return draw.pick([foreign ?? broken, gone ?? broken, broken, found.with(0, String(person.id))])
}

/** As much of the way as there is, and nothing at its end. */
function partly(person: Person, collections: readonly string[]): Ids {
  for (const [i, collection] of [...collections.entries()].toReversed()) {
    const ids = person.pool.records(collection).at(-1)
    if (ids) return [...ids, ...collections.slice(i + 1).map(() => ABSENT)]
  }
  return collections.map(() => ABSENT)
}

interface Content {
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

type BodyContext = Drawn & { readonly ids: Ids }

async function bodyOf(
  operation: Operation,
  setting: Setting,
  { site, ids, isHonest }: BodyContext,
): Promise<Content | undefined> {
  const { draw } = site
  const { required, content = {} } = operation.operation.requestBody ?? {}
  const [mediaType] = Object.keys(content)
  if (mediaType === undefined || (required === false && draw.percent(50))) return undefined
  const type = !isHonest && draw.percent(8) ? draw.pick(OTHER_TYPES) : mediaType
  if (mediaType !== 'application/json') return { type, content: fileOf(site, mediaType) }
  const body = await jsonBody(operation, setting, { site, ids })
  return { type, content: isHonest ? JSON.stringify(body) : unreliable(site, bodySchema(operation), body) }
}

const bodySchema = ({ operation }: Operation) =>
  operation.requestBody?.content['application/json']?.schema ?? {}

/** The text of a body, in which something is wrong more often than not. */
function unreliable(site: Site, schema: Schema, body: object): string | Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(site.draw.percent(60) ? spoilt(site, schema, body) : body) ?? ''
  return site.draw.percent(12) ? spoiltText(site, text) : text
}

/** Good bodies that were accepted are used again, a little changed; others are made from the schema. */
async function jsonBody(
  operation: Operation,
  setting: Setting,
  { site, ids }: Omit<BodyContext, 'isHonest'>,
) {
  const { draw } = site
  const schema = resolve(site, bodySchema(operation))
  const made = validObject(site, schema)
  const accepted = draw.percent(35)
    ? draw.oneOf(setting.person.pool.values(acceptedBy(operation)))
    : undefined
  const kept: object = typeof accepted === 'string' ? JSON.parse(accepted) : {}
  const changes =
    typeof accepted === 'string' ? Object.entries(made).filter(() => draw.percent(10)) : Object.entries(made)
  const body: Record<string, unknown> = { ...kept, ...Object.fromEntries(changes) }
  for (const [name] of fieldsOf(schema)) {
    const asked = draw.percent(75) ? await askedFor(name, operation, { setting, ids }) : undefined
    if (asked !== undefined) body[name] = asked
  }
  return body
}

/** What only the service can tell: an order of all that there is, a passkey's answer, the token of a sign-in. */
async function askedFor(
  name: string,
  operation: Operation,
  { setting, ids }: { setting: Setting; ids: Ids },
) {
  if (name === 'credential') return credential(operation, setting)
  if (name === 'mfa_token') return mfaToken(setting)
  const all = name.endsWith('_ids') ? await listed(operation, setting, ids) : []
  return all.length > 0 ? all : undefined
}

export const acceptedBy = ({ title }: Operation) => `accepted ${title}`

type Answer = Record<string, unknown>

async function ask({ cast, person }: Setting, method: string, path: string, body?: object): Promise<Answer> {
  const answered = await cast.h.app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { cookie: `session=${person.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const text = await answered.text()
  const parsed: unknown = answered.ok && text.startsWith('{') ? JSON.parse(text) : {}
  person.pool.harvest({ method, path: 'none', ids: [] }, parsed)
  return parsed as Answer
}

/** All ids of the collection that the operation puts into an order, in another order. */
async function listed({ path }: Operation, setting: Setting, ids: Ids): Promise<unknown[]> {
  const collection = pathWith(path.replace(/\/\w+$/, ''), ids)
  const found: unknown[] = []
  for (let cursor: unknown = ''; typeof cursor === 'string' && found.length < 1000;) {
    const page = await ask(
      setting,
      'GET',
      `${collection}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    const records = Object.values(page).find((value) => Array.isArray(value)) ?? []
    found.push(...records.map(({ id }: Answer) => id))
    cursor = page.next_cursor
  }
  return found.toReversed()
}

/** Of a passkey of the person's, for the ceremony that the operation completes. */
async function credential({ path }: Operation, setting: Setting): Promise<unknown> {
  const { authenticators } = setting.person
  const begun = await ask(setting, 'POST', `${path.replace(/\/complete$/, '')}/begin`)
  const options = begun.options as Parameters<Authenticator['get']>[0] | undefined
  if (!options) return {}
  if (!path.includes('/register/')) return authenticators.at(-1)?.get(options) ?? {}
  const authenticator = new Authenticator()
  authenticators.push(authenticator)
  return authenticator.create(begun.options as Parameters<Authenticator['create']>[0])
}

async function mfaToken(setting: Setting): Promise<unknown> {
  const { username } = setting.person
  return (await ask(setting, 'POST', '/api/auth/login', { username, password: PASSWORD })).mfa_token ?? MARK
}

function headersOf(
  { operation, method }: Operation,
  { person }: Setting,
  { site, isHonest }: Drawn,
): Record<string, string> {
  const { draw } = site
  const isForeign = !isHonest && method !== 'GET' && draw.percent(4)
  const token = !isHonest && draw.percent(6) ? draw.pick(['', site.marker, `${person.token}x`]) : person.token
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header')
  return {
    cookie: `session=${token}`,
    ...(isForeign && { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    ...Object.fromEntries(
      declared.filter(() => draw.percent(30)).map(({ name }) => [name, tagOf(site, isHonest)]),
    ),
  }
}

/** Versions that hold, are stale or are none. */
const tagOf = ({ draw, marker }: Site, isHonest: boolean): string =>
  isHonest
    ? draw.pick(['*', '"1"', '"2"', '"1", "2", "3"', 'W/"1"'])
    : draw.pick([
        '"0"',
        '"99999999999"',
        '"-1"',
        '1',
        '""',
        `"${marker}"`,
        marker,
        '"1" "2"',
        '"'.repeat(900),
      ])

function queryOf({ operation }: Operation, { site, isHonest }: Drawn): string {
  const { draw } = site
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const density = draw.pick([10, 30, 60])
  const pairs = declared
    .filter(({ required }) => required || draw.percent(density))
    .map(({ name, schema }): [string, unknown] => {
      const isWrong = !isHonest && draw.percent(40)
      return [name, isWrong ? wrongValue(site, schema) : validValue(site, schema, name)]
    })
    .filter(() => isHonest || draw.percent(92))
  const ordered = Object.entries(inOrder(Object.fromEntries(pairs)))
  const more = isHonest || draw.percent(90) ? [] : [...pairs, [site.marker, site.marker] as const]
  const all = [...ordered, ...more].map(([name, value]) => `${name}=${encoded(value)}`)
  if (!isHonest && draw.percent(3))
    all.push(draw.pick(['%', '&&==', '%ff=%ff', 'limit', '__proto__=1', 'limit[]=1']))
  return all.length > 0 ? `?${all.join('&')}` : ''
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed()).slice(0, 20_000)
}

/** The request again, with the fields left out or added that its refusal names. */
export function corrected(setting: Setting, { sent, text }: { sent: Sent; text: string }): Sent {
  const { errors = [] } = JSON.parse(text) as { errors?: ReadonlyArray<{ field: string; message: string }> }
  if (typeof sent.body !== 'string' || !sent.body.startsWith('{')) return sent
  const site = siteOf(setting, { draw: drawing(setting.seed), marker: MARK })
  const { content } = sent.operation.operation.requestBody ?? {}
  const fields = new Map(fieldsOf(resolve(site, content?.['application/json']?.schema)))
  const body = JSON.parse(sent.body) as Answer
  for (const { field, message } of errors) {
    const name = field.replace(/^body\./, '')
    delete body[name]
    if (message === 'is required')
      body[name] = validValue(site, withoutNull(resolve(site, fields.get(name))), name)
  }
  return { ...sent, body: JSON.stringify(inOrder(body)) }
}

const withoutNull = ({ type, ...schema }: Schema): Schema => ({
  ...schema,
  type: [type].flat().filter((one) => one !== 'null'),
})
