import { useCallback, useSyncExternalStore } from 'react'
import type { Refusal } from '../api/refusal'
import { useUnsaved } from '../session/unsaved'
import { LOCAL_ID } from './commands'
import { Listeners } from './listeners'
import type { CommandOutcome } from './notes'

const PREFIX = 'draft:'
const listeners = new Listeners<string>()
const values = new Map<string, unknown>()

/** The service's ids of records that were made on this device, by this device's. */
const ids = new Map<string, number>()
const renamed = (text: string): string =>
  text.replaceAll(LOCAL_ID, (local) => String(ids.get(local) ?? local))

/** What was typed about a record that was made on this device is about the one that the service has named. */
export function renameDrafts(local: number, id: number): void {
  ids.set(String(local), id)
  for (const name of [...namesWith(PREFIX), ...namesWith(SENT)]) {
    const text = sessionStorage.getItem(name) ?? ''
    if (renamed(name + text) === name + text) continue
    if (name.startsWith(SENT)) sessionStorage.setItem(name, renamed(text))
    else move(name.slice(PREFIX.length), JSON.parse(renamed(text)))
  }
}

/** Gives a draft another value, and the name that its record has now. */
function move(key: string, value: unknown): void {
  write(key, undefined)
  write(renamed(key), value)
}

function read(key: string): unknown {
  if (values.has(key)) return values.get(key)
  const text = sessionStorage.getItem(PREFIX + key)
  const value: unknown = text === null ? undefined : JSON.parse(text)
  values.set(key, value)
  return value
}

function write(key: string, value: unknown): void {
  values.set(key, value)
  if (value === undefined) sessionStorage.removeItem(PREFIX + key)
  else sessionStorage.setItem(PREFIX + key, JSON.stringify(value))
  listeners.tell(key)
}

const OWNER = 'drafts-of'

/**
 * Drafts belong to a user: those of another one are forgotten. `isKept` says that what was sent and not answered is in the device's copy;
 * else it is a draft again.
 */
export function openDrafts(userId: number, isKept: boolean): void {
  if (sessionStorage.getItem(OWNER) !== String(userId)) dropDrafts()
  sessionStorage.setItem(OWNER, String(userId))
  for (const name of namesWith(SENT)) {
    const { key, draft } = JSON.parse(sessionStorage.getItem(name) ?? '{}') as SentDraft
    sessionStorage.removeItem(name)
    if (!isKept && read(key) === undefined) write(key, draft)
  }
}

const SENT = 'sent:'
interface SentDraft {
  readonly key: string
  readonly draft: object
}
const namesWith = (prefix: string) => Object.keys(sessionStorage).filter((name) => name.startsWith(prefix))

/**
 * Keeps a draft that is on its way until the service has it, through a reload too. If the service refuses it, it is a draft again, with
 * what `refused` adds, unless something else is being typed by then.
 */
export async function keepUntilDone<T extends object>(
  key: string,
  draft: T,
  { id, done }: { readonly id: string; readonly done: Promise<CommandOutcome> },
  refused: (draft: T, refusal: Refusal) => T,
): Promise<void> {
  sessionStorage.setItem(SENT + id, JSON.stringify({ key, draft } satisfies SentDraft))
  const outcome = await done
  const sent = sessionStorage.getItem(SENT + id)
  sessionStorage.removeItem(SENT + id)
  if (outcome.is !== 'refused' || sent === null) return
  const kept = JSON.parse(sent) as { readonly key: string; readonly draft: T }
  if (read(kept.key) === undefined) write(kept.key, refused(kept.draft, outcome.refusal))
}

/** Forgets everything that was typed and not saved. */
export function dropDrafts(): void {
  for (const name of namesWith(PREFIX)) write(name.slice(PREFIX.length), undefined)
  for (const name of namesWith(SENT)) sessionStorage.removeItem(name)
  values.clear()
  sessionStorage.removeItem(OWNER)
}

/**
 * What is being typed under a name, such as `event 7`: it outlives a reload, a lock and the end of the session, not a sign-out
 * (contract: web.drafts). Setting it to undefined forgets it.
 */
export function useDraft<T extends object>(name: string): [T | undefined, (draft: T | undefined) => void] {
  const key = renamed(name)
  const subscribe = useCallback((listener: () => void) => listeners.subscribe(key, listener), [key])
  const draft = useSyncExternalStore(subscribe, () => read(key)) as T | undefined
  useUnsaved(draft !== undefined)
  const set = useCallback((next: T | undefined) => write(key, next), [key])
  return [draft, set]
}
