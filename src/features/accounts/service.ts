import type { Tx } from '../../db/client'
import { takeLock } from '../../db/advisory-lock'
import type { Role } from '../../db/schema'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { badRequest, invalidField } from '../../lib/errors'
import { dayIn } from '../../lib/time'
import { record } from '../audit/service'
import { createFirstCalendars } from '../calendars/service'
import { refuseWeakPassword } from '../passwords/service'
import { type Caller, openSession } from '../sessions/service'
import { createSettings } from '../settings/service'
import { createSystemConfig } from '../system-config/service'
import type { SetupBody } from './model'
import * as q from './queries'

const alreadySetUp = () => badRequest('Setup has already been completed')

/**
 * Creates the first account, an administrator, and signs it in (specification 4.1). Answers the session token.
 * @throws {AppError} 400 when there is a user already, 422 when the password or the day of birth will not do.
 */
export async function setUp(deps: Deps, body: SetupBody, caller: Caller): Promise<string> {
  const { db, clock, hasher } = deps
  if (await q.hasUsers(db)) throw alreadySetUp()
  refuseWeakPassword(deps, { field: 'password', password: body.password, username: body.username })
  refuseFutureBirth(deps, body.date_of_birth ?? null)
  const passwordHash = await hasher.hash(body.password)
  return inTransaction(db, async (tx) => {
    await takeLock(tx, 'setup')
    if (await q.hasUsers(tx)) throw alreadySetUp()
    const now = clock.now()
    const userId = await createUser(tx, {
      username: body.username,
      passwordHash,
      role: 'admin',
      email: body.email ?? null,
      dateOfBirth: body.date_of_birth ?? null,
      networkName: (body.network_name ?? body.username).toLowerCase(),
      preferredName: body.preferred_name ?? null,
      now,
    })
    await createSystemConfig(tx, now)
    await record(tx, { action: 'auth.setup_complete', actorId: userId, ip: caller.ip, at: now })
    return openSession(tx, deps, { userId, authMethod: 'setup', ...caller })
  })
}

function refuseFutureBirth({ clock, config }: Pick<Deps, 'clock' | 'config'>, birth: string | null): void {
  if (birth === null) return
  if (birth > dayIn(config.timeZone, clock.now()))
    throw invalidField('date_of_birth', 'must not be in the future')
}

interface NewUser {
  readonly username: string
  readonly passwordHash: string
  readonly role: Role
  readonly email: string | null
  readonly dateOfBirth: string | null
  readonly networkName: string
  readonly preferredName: string | null
  readonly now: Date
}

/** A user with everything that belongs to one from the start: settings and two calendars. */
async function createUser(tx: Tx, { preferredName, now, ...columns }: NewUser): Promise<number> {
  const { username, passwordHash, role, email, dateOfBirth, networkName } = columns
  const userId = await q.insertUser(tx, {
    username,
    passwordHash,
    role,
    email,
    dateOfBirth,
    networkName,
    lastPasswordChangeAt: now,
    createdAt: now,
    updatedAt: now,
  })
  await createSettings(tx, { userId, preferredName, now })
  await createFirstCalendars(tx, { userId, now })
  return userId
}
