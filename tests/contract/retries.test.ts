import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { checksums } from '../support/checksum'
import { connect, set } from '../support/connecting'
import { linkIdentity, PROVIDER_ENV } from '../support/identities'
import type { Actor } from '../support/harness'
import { person } from '../support/inviting'
import { documentOf } from '../support/openapi'
import { PASSKEYS, register } from '../support/passkeys'
import { type Preparation, type Prepare, PREPARED } from '../support/preparations'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: PROVIDER_ENV })
let checksum: Awaited<ReturnType<typeof checksums>>
beforeAll(async () => {
  checksum = await checksums(h.db)
})

const send =
  (...sent: Parameters<Actor['request']>): Prepare =>
  (ada) =>
  () =>
    ada.request(...sent)

/** Something that an administrator does to another user. */
const administering =
  (method: string, below: string, body?: object): Prepare =>
  async (ada, { signedIn, db }) => {
    const { row } = await signedIn()
    await db.execute(sql`update users set role = 'admin' where id = ${ada.row.id}`)
    return () => ada.request(method, `/api/admin/users/${row.id}${below}`, body ? { body } : {})
  }

/** Something done with a request to connect, by its sender or its receiver. */
const requested =
  (side: 'sender' | 'receiver', act: string): Prepare =>
  async (ada, harness) => {
    const bob = await person(harness)
    const [sender, receiver] = side === 'sender' ? [ada, bob] : [bob, ada]
    await set(harness, receiver, { acceptConnections: true })
    const body = { network_name: receiver.row.networkName }
    const path = '/api/connections/requests'
    if (act === '') return () => ada.request('POST', path, { body })
    const { id } = (await sender.request('POST', path, { body })).body
    return () => ada.request('PUT', `${path}/${id}/${act}`)
  }

/** Something done with a notification. */
const notified =
  (method: string, below: string): Prepare =>
  async (ada, harness) => {
    await set(harness, ada, { acceptConnections: true })
    await connect(ada, await person(harness))
    const [notification] = (await ada.request('GET', '/api/notifications')).body.notifications
    return () => ada.request(method, `/api/notifications/${notification.id}${below}`)
  }

/** Something done with a deleted todo in the trash. */
const trashed =
  (method: string, below: string): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', '/api/todos', { body: { title: 'Bins' } })).body
    await ada.request('DELETE', `/api/todos/${id}`)
    const [entry] = (await ada.request('GET', '/api/trash')).body.items
    return () => ada.request(method, `/api/trash/${entry.id}${below}`)
  }

/** Operations that need no session that may end meanwhile. */
const OTHERS: readonly Preparation[] = [
  ['the screen lock', send('POST', '/api/auth/lock')],
  [
    'the end of another session',
    async (ada, { session }) => {
      await session(ada.row.id)
      const { sessions } = (await ada.request('GET', '/api/auth/sessions')).body
      const other = sessions.find(({ is_current }: { is_current: boolean }) => !is_current)
      return () => ada.request('DELETE', `/api/auth/sessions/${other.id}`)
    },
  ],
  [
    'a new name of a passkey',
    async (ada) => {
      const { passkey } = await register(ada)
      return () => ada.request('PUT', `${PASSKEYS}/${passkey.id}`, { body: { name: 'Key' } })
    },
  ],
  [
    'the end of an identity',
    async (ada, harness) => {
      const id = await linkIdentity(harness, ada.row.id)
      return () => ada.request('DELETE', `/api/auth/identities/${id}`)
    },
  ],
  ['a new role', administering('PUT', '/role', { role: 'admin' })],
  ['a deactivation', administering('PUT', '/active', { is_active: false })],
  ['a new temporary password', administering('POST', '/reset-password')],
  ['the end of a lock', administering('POST', '/unlock')],
  ['a demand for a second factor', administering('PUT', '/enforce-mfa', { enforce: true })],
  ['the end of a second factor', administering('POST', '/disable-mfa')],
  ['the end of passwordless sign-in', administering('PUT', '/passwordless', { enabled: false })],
  ['the end of all sessions of a user', administering('DELETE', '/sessions')],
  ['the end of all tokens of a user', administering('DELETE', '/tokens')],
  ['the deletion of a user', administering('DELETE', '')],
  [
    'a change of the configuration',
    async (ada, { db }) => {
      await db.execute(sql`update users set role = 'admin' where id = ${ada.row.id}`)
      return () => ada.request('PUT', '/api/admin/config', { body: { allow_registration: true } })
    },
  ],
  ['a request to connect', requested('sender', '')],
  ['the acceptance of a request', requested('receiver', 'accept')],
  ['the rejection of a request', requested('receiver', 'reject')],
  ['the cancellation of a request', requested('sender', 'cancel')],
  [
    'a block',
    async (ada, harness) => {
      const bob = await person(harness)
      await connect(ada, bob)
      return () =>
        ada.request('POST', '/api/connections/blocks', { body: { network_name: bob.row.networkName } })
    },
  ],
  [
    'the end of a block',
    async (ada, harness) => {
      const bob = await person(harness)
      await connect(ada, bob)
      const body = { network_name: bob.row.networkName }
      const { id } = (await ada.request('POST', '/api/connections/blocks', { body })).body
      return () => ada.request('DELETE', `/api/connections/blocks/${id}`)
    },
  ],
  [
    'a link of a person with a user',
    async (ada, harness) => {
      const bob = await person(harness)
      await set(harness, ada, { acceptConnections: true })
      await connect(bob, ada)
      const { people } = (await ada.request('GET', '/api/people')).body
      const { id } = people[0]
      return () => ada.request('PUT', `/api/people/${id}/link`, { body: { connection_id: null } })
    },
  ],
  [
    'undoing an operation',
    async (ada) => {
      const { headers } = await ada.request('POST', '/api/todos', { body: { title: 'Bins' } })
      return () => ada.request('POST', `/api/operations/${headers.get('x-operation-id')}/undo`)
    },
  ],
  ['bringing something back', trashed('POST', '/restore')],
  ['deleting something for good', trashed('DELETE', '')],
  ['emptying the trash', send('DELETE', '/api/trash')],
  ['reading a notification', notified('PUT', '/read')],
  ['the deletion of a notification', notified('DELETE', '')],
]

const ALL = [...PREPARED, ...OTHERS]

/** What takes or shows a secret; and the screen lock, behind which nothing is answered. */
const NEVER_REPLAYED =
  /^(?:verify-password|change-password|account deletion|a new access token|totp\/|passkeys\/register|passwordless\/|a new feed|a new temporary password|the screen lock)/
const REPLAYED = ALL.filter(([name]) => !NEVER_REPLAYED.test(name))

test.each(REPLAYED)(
  '%s, sent again with its key, changes nothing and is answered as before',
  async (_, prepare) => {
    const ada = await h.signedIn()
    let key: string | undefined
    const keyed: Actor = {
      ...ada,
      request: (method, path, sent) => {
        const headers = { ...sent?.headers, ...(key !== undefined && { 'idempotency-key': key }) }
        return ada.request(method, path, { ...sent, headers })
      },
    }
    const request = await prepare(keyed, h)
    key = 'the key'
    const first = await request()
    expect([200, 201, 204], JSON.stringify(first.body)).toContain(first.status)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const before = await checksum()
    const second = await request()
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(second.headers.get('x-operation-id')).toBe(first.headers.get('x-operation-id'))
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await checksum()).toEqual(before)
  },
)

test.each(ALL)('%s has an operation exactly if it is not refused', async (_, prepare) => {
  const ada = await h.signedIn()
  const request = await prepare(ada, h)
  const { status, headers } = await request()
  expect(headers.get('x-operation-id') !== null).toBe(status < 300)
})

test('these are all operations of the document but those that the tests of second factors have', async () => {
  const document = await documentOf(h.app.fetch)
  const documented = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId = '', responses }) =>
      Object.values(responses).some(({ headers }) => headers && 'X-Operation-Id' in headers)
        ? [operationId]
        : [],
    ),
  )
  const rows = await h.db.execute<{ name: string }>(sql`select distinct name from operations`)
  const known = new Set(rows.map(({ name }) => name))
  expect(documented.filter((id) => !known.has(id)).toSorted()).toEqual([
    'confirmTotp',
    'createUser',
    'deleteAccount',
    'disableTotp',
    'enablePasswordless',
    'renewBackupCodes',
  ])
})

test('an answer that is kept holds no record', async () => {
  const rows = await h.db.execute<{ answer: object }>(
    sql`select answer from operations where answer is not null and answer <> 'null'`,
  )
  const names = new Set(rows.flatMap(({ answer }) => Object.keys(answer)))
  const counts = ['created', 'updated', 'unchanged', 'skipped', 'revoked', 'feeds_ended', 'tokens_revoked']
  expect([...names].filter((name) => ![...counts, 'message', 'is_locked'].includes(name))).toEqual([])
})
