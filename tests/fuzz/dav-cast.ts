import { DAV_SCOPES, phoneOf } from '../support/dav'
import { ALL_KINDS, type DavKind, makeCollection, MIXED } from '../support/dav-kinds'
import type { Harness } from '../support/harness'
import { befriend } from '../support/inviting'
import { type Sharer, sharer } from '../support/sharing'
import { type Caller, MIXED_SLUG } from './dav-requests'

const MARK = 'canaryofnobodyelse'
const READING = ['dav', 'calendars:read', 'tasks:read', 'people:read'] as const

/** Everybody who calls, with what they may know of each other. */
export async function callersOf(h: Harness): Promise<readonly [Caller, ...Caller[]]> {
  const [owner, member, stranger] = [await sharer(h), await sharer(h), await sharer(h)]
  await befriend(h, owner, [member])
  const hidden: string[] = []
  for (const kind of [...ALL_KINDS, MIXED]) {
    const shared = await make(h, kind, owner, `Shared ${kind.name}`)
    if (kind.isShared) {
      await owner.share(shared.id, member, 'write')
      await member.acceptAll()
    }
    hidden.push(...(await fill(h, kind, owner, `${MARK}1`)), ...(await fill(h, kind, stranger, `${MARK}2`)))
  }
  const [owners, strangers] = [`${MARK}1`, `${MARK}2`]
  return [
    await callerOf(h, owner, { hidden, forbidden: [strangers] }),
    await callerOf(h, member, { hidden, forbidden: [owners, strangers], isMember: true }),
    await callerOf(h, owner, { hidden, forbidden: [strangers], scopes: READING }),
    await callerOf(h, stranger, { hidden, forbidden: [owners] }),
  ]
}

/** Puts into a new collection what only its owner may read; answers its addresses. */
async function fill(h: Harness, kind: DavKind, actor: Sharer, word: string): Promise<string[]> {
  const { slug } = await make(h, kind, actor, `${word} ${kind.name}`)
  const phone = await phoneOf(h, actor)
  const path = `/dav/${kind.home}/${actor.row.id}/${slug}/`
  await phone.send('PUT', `${path}known.${kind.extension}`, { body: kind.textOf('known', word) })
  return [path, `${path}known.${kind.extension}`]
}

/** Makes a collection; a mixed one as a client does, of which the id is that of its calendar. */
async function make(h: Harness, kind: DavKind, actor: Sharer, name: string) {
  if (kind !== MIXED) return makeCollection(kind, actor, name)
  // No word of the name, as answers may repeat the address that was asked for.
  const slug = `${MIXED_SLUG}-${name.startsWith(MARK) ? 'known' : 'shared'}`
  const phone = await phoneOf(h, actor)
  const { method, body } = kind.make
  const made = await phone.send(method, `${phone.home}${slug}/`, {
    body: body.replace('>Made<', `>${name}<`),
  })
  const { calendars } = (await actor.request('GET', '/api/calendars')).body
  const calendar = calendars.find((one: { readonly name: string }) => one.name === name)
  if (made.status !== 201 || !calendar) throw new Error(`${made.status} ${made.text}`)
  return { id: Number(calendar.id), slug }
}

interface Knowledge {
  /** Addresses of others, too. */
  readonly hidden: readonly string[]
  readonly forbidden: readonly string[]
  readonly isMember?: boolean
  readonly scopes?: typeof DAV_SCOPES
}

async function callerOf(
  h: Harness,
  actor: Sharer,
  { hidden, forbidden, isMember = false, scopes = DAV_SCOPES }: Knowledge,
): Promise<Caller> {
  const { userId: id, authorization, send } = await phoneOf(h, actor, scopes)
  const hrefs = ['/dav/', '/dav/principals/', `/dav/principals/${id}/`, '/dav/calendars/1/', ...hidden]
  for (const home of ['calendars', 'addressbooks']) {
    const { responses } = await send('PROPFIND', `/dav/${home}/${id}/`, { headers: { depth: '1' } })
    hrefs.push(...responses.keys())
  }
  return { id, authorization, hrefs, tokens: [], etags: [], forbidden, isMember }
}
