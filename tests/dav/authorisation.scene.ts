import { sql } from 'drizzle-orm'
import { DAV_SCOPES, type Phone, phoneOf } from '../support/dav'
import { type DavKind, makeCollection, MIXED } from '../support/dav-kinds'
import type { Actor, Harness } from '../support/harness'
import { befriend } from '../support/inviting'
import { type Sharer, sharer } from '../support/sharing'

/** Two owners who do not know each other, each with a collection, two objects and words that nobody else may read. */

export interface Owner {
  readonly actor: Sharer
  readonly id: number
  readonly collectionId: number
  readonly slug: string
  /** What is only theirs: in names, texts, addresses and properties. */
  readonly canary: string
  readonly token: string
}

let serial = 0

export async function owner(h: Harness, kind: DavKind): Promise<Owner> {
  const actor = await sharer(h)
  const canary = `canary${++serial}x${crypto.randomUUID().slice(0, 8)}`
  const phone = await phoneOf(h, actor)
  const { id: collectionId, slug } =
    kind === MIXED ? await makeMixed(phone) : await makeCollection(kind, actor, canary)
  const path = pathOf(kind, actor.row.id, slug)
  const put = (name: string, lines: readonly string[] = []) =>
    phone.send('PUT', `${path}${name}.${kind.extension}`, {
      body: kind.textOf(`${name}@phone`, canary, lines),
      headers: { 'content-type': kind.type },
    })
  const statuses = [(await put('there')).status, (await put(`${canary}-name`)).status]
  const kept = `<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x xmlns="urn:x">${canary}</x></d:prop></d:set></d:propertyupdate>`
  statuses.push((await phone.send('PROPPATCH', path, { body: kept })).status)
  if (statuses.join() !== '201,201,207') throw new Error(statuses.join())
  return { actor, id: actor.row.id, collectionId, slug, canary, token: phone.token }
}

async function makeMixed(phone: Phone): Promise<{ readonly id: number; readonly slug: string }> {
  const slug = `mixed-${++serial}`
  const { status } = await phone.send(MIXED.make.method, pathOf(MIXED, phone.userId, slug), {
    body: MIXED.make.body,
  })
  if (status !== 201) throw new Error(String(status))
  return { id: 0, slug }
}

export const pathOf = ({ home }: DavKind, userId: number, slug: string) => `/dav/${home}/${userId}/${slug}/`

/** Whose collection the caller meets under their own home, and whose things are somebody else's. */
export interface Scene {
  readonly kind: DavKind
  /** The caller. */
  readonly id: number
  readonly slug: string
  readonly other: Owner
  /** Names a collection that the caller may not see, below their own home. */
  readonly lost: string
  /** Words that no answer to the caller may hold. */
  readonly forbidden: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/** Answers the headers with which somebody calls. */
type Credentials = (h: Harness, actor: Actor) => Promise<Record<string, string>>

export const withToken =
  (scopes = DAV_SCOPES): Credentials =>
  async (h, actor) => ({ authorization: (await phoneOf(h, actor, scopes)).authorization })

/** The owner of a collection calls. */
export async function ownerScene(h: Harness, kind: DavKind, credentials: Credentials): Promise<Scene> {
  const [own, other] = [await owner(h, kind), await owner(h, kind)]
  const headers = await credentials(h, own.actor)
  // Each of them has a collection of reminders at the same address.
  const lost = other.slug === own.slug ? `${other.slug}-lost` : other.slug
  return { kind, id: own.id, slug: own.slug, other, lost, forbidden: [other.canary], headers }
}

/** Somebody calls who is let into the collection of an owner, and not into another of theirs. */
export async function memberScene(h: Harness, kind: DavKind, permission: 'read' | 'write'): Promise<Scene> {
  const own = await owner(h, kind)
  const member = await sharer(h)
  await befriend(h, own.actor, [member])
  const { status } = await own.actor.share(own.collectionId, member, permission)
  if (status !== 201) throw new Error(String(status))
  await member.acceptAll()
  const hidden = await makeCollection(kind, own.actor, `hidden-${own.canary}`)
  const headers = await withToken()(h, member)
  const forbidden = [`hidden-${own.canary}`, `>${own.canary}</x>`]
  return { kind, id: member.row.id, slug: own.slug, other: own, lost: hidden.slug, forbidden, headers }
}

/** Somebody calls who has nothing to do with the owner, but knows all their addresses. */
export async function strangerScene(
  h: Harness,
  kind: DavKind,
  columns: Parameters<Harness['signedIn']>[0] = {},
): Promise<Scene> {
  const own = await owner(h, kind)
  const stranger = await h.signedIn(columns)
  const headers = await withToken()(h, stranger)
  return {
    kind,
    id: stranger.row.id,
    slug: own.slug,
    other: own,
    lost: own.slug,
    forbidden: [own.canary],
    headers,
  }
}

/** The owner's addresses, called without what /dav takes. */
export async function refusedScene(h: Harness, kind: DavKind, credentials: Credentials): Promise<Scene> {
  const own = await owner(h, kind)
  const headers = await credentials(h, own.actor)
  return { kind, id: own.id, slug: own.slug, other: own, lost: own.slug, forbidden: [own.canary], headers }
}

/** Everything that a request to /dav could write, and the journal of it. */
export async function written(h: Harness): Promise<string> {
  const tables = [
    'sync_scopes',
    'sync_switches',
    'sync_changes',
    'dav_collections',
    'dav_properties',
    'dav_gone',
    'event_texts',
    'person_texts',
    'loose_cards',
    'events',
    'todos',
    'todo_lists',
    'people',
    'address_books',
    'calendars',
    'calendar_members',
    'event_invitations',
    'reminders',
    'reminder_texts',
    'todo_texts',
    'dav_gone',
  ]
  // Whatever is inserted, changed or deleted changes one of the two.
  const parts = tables.map(
    (name) =>
      `select '${name} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as part from ${name}`,
  )
  const rows = await h.db.execute<{ part: string }>(sql.raw(parts.join(' union all ')))
  return rows.map(({ part }) => part).join()
}
