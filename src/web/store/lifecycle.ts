import type { SettingsView } from '../../features/identity/settings/model'
import { forgetKnownUser, keepKnownUser } from '../session/known-user'
import { forgetSearches } from '../session/last-searches'
import { type Session, sessions, setSession } from '../session/session'
import { watchUnsaved } from '../session/unsaved'
import { deviceZone } from '../time/now'
import { deleteCopies, setWantsCopy, wantsCopy } from './device-copy'
import { dropDrafts, openDrafts, renameDrafts } from './drafts'
import { Following } from './following'

let following: Following | undefined
const listeners = new Set<() => void>()

/** The signed-in user's records; for `useSyncExternalStore`. */
export const followed = {
  read: (): Following | undefined => following,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function setFollowing(next: Following | undefined): void {
  following?.close()
  following = next
  for (const listener of listeners) listener()
}

/** Keeps the records of who is signed in, and nothing of anybody else (contract: web.device-copy). */
export function followSession(): void {
  watchUnsaved(() => (following?.store.outbox.list().length ?? 0) > 0, false)
  sessions.subscribe(follow)
  follow()
}

let before: Session = { is: 'unknown' }

function follow(): void {
  const session = sessions.read()
  const isSame = isSameBut(session, before)
  before = session
  if (isSame) rememberUser(session)
  else void afterSession(session)
}

/** Whether a session differs from another in nothing but the settings, which the records told. */
const isSameBut = (one: Session, other: Session): boolean =>
  one.is === 'signed-in' &&
  other.is === 'signed-in' &&
  one.user === other.user &&
  one.settings !== other.settings

async function afterSession(session: Session): Promise<void> {
  rememberUser(session)
  switch (session.is) {
    case 'signed-in':
      return signedIn(session)
    case 'locked':
    case 'must-change-password':
      return following?.pause()
    case 'ended':
      return ended()
    case 'signed-out':
    case 'set-up':
      return signedOut()
    case 'unknown':
    case 'unreachable':
  }
}

/** Nothing is opened from the copy later unless the service said last that its user is signed in and not locked. */
function rememberUser(session: Session): void {
  if (session.is === 'unknown' || session.is === 'unreachable') return
  if (session.is !== 'signed-in' || !wantsCopy(session.user.id)) forgetKnownUser()
  else if (!session.isUnconfirmed) keepKnownUser({ user: session.user, settings: session.settings })
}

/** What was typed and what waits stays in memory, for when the same user signs in again. */
async function ended(): Promise<void> {
  following?.pause()
  following?.closeCopy()
  forgetSearches()
  await deleteCopies()
}

async function signedOut(): Promise<void> {
  setFollowing(undefined)
  dropDrafts()
  forgetSearches()
  await deleteCopies()
}

async function signedIn({ user, isUnconfirmed }: Extract<Session, { is: 'signed-in' }>): Promise<void> {
  const mine = followingOf(user.id)
  // Changes wait until the service has said that this is still their user.
  if (isUnconfirmed) return mine.openOffline()
  await Promise.all([deleteCopies(user.id), mine.resume()])
}

function followingOf(userId: number): Following {
  if (following?.userId === userId) return following
  setFollowing(undefined)
  openDrafts(userId, wantsCopy(userId))
  forgetSearches(userId)
  const mine: Following = new Following(userId, () => zoneOf(mine))
  mine.store.ids.onLearnt = renameDrafts
  setFollowing(mine)
  followSettings(mine)
  return mine
}

/** The settings of the session are a record like others, with the changes on their way. */
function followSettings({ store: { records }, userId }: Following): void {
  const name = { kind: 'settings', id: userId } as const
  const session = sessions.read()
  if ('settings' in session) records.say(name, { item: session.settings, version: null, parentId: null })
  records.subscribe('settings', () => {
    const now = sessions.read()
    const settings = records.shown(name) as SettingsView | undefined
    if (settings && now.is === 'signed-in' && now.user.id === userId && now.settings !== settings)
      setSession({ ...now, settings })
  })
}

function zoneOf({ store, userId }: Following): string {
  const kept = store.records.shown({ kind: 'settings', id: userId }) as SettingsView | undefined
  return kept?.time_zone ?? deviceZone()
}

/** Begins or ends to keep a copy on this device; the wish is this device's. */
export async function keepCopy(wants: boolean): Promise<void> {
  if (!following) return
  setWantsCopy(following.userId, wants)
  rememberUser(sessions.read())
  if (wants) return following.keepCopy()
  following.closeCopy()
  await deleteCopies()
}
