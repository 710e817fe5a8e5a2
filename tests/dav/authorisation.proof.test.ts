import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import { basic, DAV_SCOPES, multigetOf, phoneOf, sendDav } from '../support/dav'
import { EVENTS, KINDS, MIXED, REMINDERS } from '../support/dav-kinds'
import { type Actor, type Harness, PASSWORD } from '../support/harness'
import { createToken, insertToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'
import { matrixOf } from './authorisation.requests'
import {
  memberScene,
  owner,
  ownerScene,
  pathOf,
  refusedScene,
  strangerScene,
  withToken,
} from './authorisation.scene'
import * as expected from './authorisation.tables'

setDefaultTimeout(120_000)
const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })
beforeAll(() => {
  // An address whose wrong passwords are not counted.
  h.peer.address = '127.0.0.1'
})

describe('of events,', () => {
  const kind = EVENTS

  test('the owner does everything with their own things, and finds nothing of others', async () => {
    expect(await matrixOf(h, () => ownerScene(h, kind, withToken()))).toBe(expected.ownerOf(kind, 'all'))
  })

  test('an app password of another area finds no collections', async () => {
    const scopes = ['dav', 'people:read'] as const
    expect(await matrixOf(h, () => ownerScene(h, kind, withToken(scopes)))).toBe(expected.BLIND)
  })

  test('an administrator finds nothing of the owner', async () => {
    expect(await matrixOf(h, () => strangerScene(h, kind, { role: 'admin' }))).toBe(
      expected.strangerOf(kind.home),
    )
  })
})

describe('of mixed collections,', () => {
  const scopes = ['dav', 'calendars:read', 'tasks:read'] as const

  test('an app password of both areas does everything there', async () => {
    const both = ['dav', 'calendars:write', 'tasks:write'] as const
    expect(await matrixOf(h, () => ownerScene(h, MIXED, withToken(both)))).toBe(expected.ownerOf(MIXED))
  })

  test('an app password that only reads both writes nothing', async () => {
    expect(await matrixOf(h, () => ownerScene(h, MIXED, withToken(scopes)))).toBe(
      expected.readerOf(MIXED.home),
    )
  })

  test('another user finds nothing of the owner', async () => {
    const free = ['collection', 'not seen']
    expect(await matrixOf(h, () => strangerScene(h, MIXED))).toBe(expected.strangerOf(MIXED.home, free))
  })
})

// Groups are in the same collections as cards, and every user has one collection of reminders. The callers above are those of all
// kinds: their tables would take a minute each.
const COLLECTED = KINDS.filter(({ name }) => name !== 'groups')

describe.each([...COLLECTED, REMINDERS])('of $name,', (kind) => {
  const { area, home } = kind

  test('an app password of the area alone does everything there', async () => {
    const scopes = ['dav', `${area}:write`] as const
    expect(await matrixOf(h, () => ownerScene(h, kind, withToken(scopes)))).toBe(expected.ownerOf(kind))
  })

  test('an app password that only reads writes nothing', async () => {
    const scopes = ['dav', `${area}:read`] as const
    expect(await matrixOf(h, () => ownerScene(h, kind, withToken(scopes)))).toBe(expected.readerOf(home))
  })
})

describe.each(COLLECTED)('of $name,', (kind) => {
  test('another user finds nothing of the owner', async () => {
    expect(await matrixOf(h, () => strangerScene(h, kind))).toBe(expected.strangerOf(kind.home))
  })

  test('reports that name objects of others answer 404 for each of them, and say nothing of them', async () => {
    const [ada, bob] = [await owner(h, kind), await owner(h, kind)]
    const phone = await phoneOf(h, ada.actor)
    const object = `there.${kind.extension}`
    const foreign = [
      pathOf(kind, bob.id, bob.slug) + object,
      pathOf(kind, ada.id, bob.slug) + object,
      `http://elsewhere.example${pathOf(kind, bob.id, bob.slug)}${object}`,
      `/dav/principals/${bob.id}/`,
      `${pathOf(kind, ada.id, ada.slug)}..%2F..%2F${bob.id}%2F${bob.slug}%2F${object}`,
      `${pathOf(kind, ada.id, ada.slug)}../../${bob.id}/${bob.slug}/${object}`,
    ]
    const own = pathOf(kind, ada.id, ada.slug)
    const body = multigetOf([own + object, ...foreign], ['d:getetag', kind.data])
    const { status, text, responses } = await phone.report(
      own,
      body.replaceAll('c:calendar-multiget', kind.multiget),
    )
    expect(status).toBe(207)
    expect(responses.get(own + object)?.found.size).toBe(2)
    expect(foreign.map((href) => responses.get(href)?.status)).toEqual(foreign.map(() => 'HTTP/1.1 404 Not Found')) // prettier-ignore
    expect(text).not.toContain(bob.canary)
  })
})

describe.each(KINDS.filter(({ isShared }) => isShared))('of shared $name,', (kind) => {
  test('a member who writes changes objects, and leaves the collection by DELETE', async () => {
    expect(await matrixOf(h, () => memberScene(h, kind, 'write'))).toBe(expected.WRITING_MEMBER)
  })

  test('a member who reads changes only what is their own', async () => {
    expect(await matrixOf(h, () => memberScene(h, kind, 'read'))).toBe(expected.READING_MEMBER)
  })

  test('a member who is sent away, or loses the connection, finds nothing on the next request', async () => {
    const scene = await memberScene(h, kind, 'write')
    const path = pathOf(kind, scene.id, scene.slug)
    const ask = async (method: string) =>
      (await sendDav(h, method, path, { headers: { ...scene.headers, depth: '0' } })).status
    expect(await ask('PROPFIND')).toBe(207)
    const members = `${kind.api}/${scene.other.collectionId}/members`
    const [member] = (await scene.other.actor.request('GET', members)).body.members
    await scene.other.actor.request('DELETE', `${members}/${member.id}`)
    for (const method of ['PROPFIND', 'GET', 'DELETE'])
      expect([method, await ask(method)]).toEqual([method, 404])
  })
})

/** What /dav does not take, though some of it opens /api. */
const REFUSED: Readonly<Record<string, (h: Harness, actor: Actor) => Promise<Record<string, string>>>> = {
  nothing: async () => ({}),
  'a password that nobody has': async (_, { row }) => ({ authorization: basic(row.username, 'org_none') }),
  "the account's password": async (_, { row }) => ({ authorization: basic(row.username, PASSWORD) }),
  'the cookie of a session': async (_, { token }) => ({ cookie: `session=${token}` }),
  "the session's text as a password": async (_, { row, token }) => ({
    authorization: basic(row.username, token),
  }),
  'an access token that is no app password': async (_, actor) => ({
    authorization: basic(actor.row.username, (await createToken(actor)).token),
  }),
  'an app password as a bearer': async (_, actor) => ({
    authorization: `Bearer ${(await createToken(actor, DAV_SCOPES)).token}`,
  }),
  "somebody else's app password": async (harness, { row }) => ({
    authorization: basic(row.username, (await createToken(await harness.signedIn(), DAV_SCOPES)).token),
  }),
  'a revoked app password': async (_, actor) => {
    const { id, token } = await createToken(actor, DAV_SCOPES)
    await actor.request('DELETE', `/api/auth/tokens/${id}`)
    return { authorization: basic(actor.row.username, token) }
  },
  'an expired app password': async (harness, { row }) => {
    const columns = { scopes: [...DAV_SCOPES], expiresAt: new Date(+harness.clock.now() - 1000) }
    return { authorization: basic(row.username, (await insertToken(harness, row.id, columns)).token) }
  },
  'the app password of somebody who is deactivated': (harness, actor) =>
    afterwards(harness, actor, { isActive: false }),
  'the app password of somebody who has to change their password': (harness, actor) =>
    afterwards(harness, actor, { mustChangePassword: true }),
}

async function afterwards(harness: Harness, actor: Actor, columns: Partial<typeof users.$inferInsert>) {
  const headers = await withToken()(harness, actor)
  await harness.db.update(users).set(columns).where(eq(users.id, actor.row.id))
  return headers
}

test.each(Object.entries(REFUSED))('%s opens no address with any method', async (_, credentials) => {
  expect(await matrixOf(h, () => refusedScene(h, EVENTS, credentials))).toBe(expected.NOBODY)
})

test('an account whose password is locked still syncs', async () => {
  const ada = await h.signedIn()
  const phone = await phoneOf(h, ada)
  const lockedUntil = new Date(+h.clock.now() + 600_000)
  await h.db.update(users).set({ lockedUntil, failedLoginCount: 10 }).where(eq(users.id, ada.row.id))
  expect((await phone.propfind(phone.home, ['d:displayname'])).status).toBe(207)
})
