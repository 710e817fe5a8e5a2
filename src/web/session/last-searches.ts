/** The searches that a user made last on this device. They are deleted when the user signs out, and when somebody else signs in. */
const KEY = 'last-searches'
const MOST = 8

interface Kept {
  readonly userId: number
  readonly searches: readonly string[]
}

function read(): Kept | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as Kept)
}

/** The newest first. */
export function lastSearches(userId: number): readonly string[] {
  const kept = read()
  return kept?.userId === userId ? kept.searches : []
}

export function rememberSearch(userId: number, search: string): void {
  const others = lastSearches(userId).filter((each) => each.toLowerCase() !== search.toLowerCase())
  const kept: Kept = { userId, searches: [search, ...others].slice(0, MOST) }
  localStorage.setItem(KEY, JSON.stringify(kept))
}

/** Forgets them, but for those of the one who is signed in. */
export function forgetSearches(exceptOf?: number): void {
  if (exceptOf === undefined || read()?.userId !== exceptOf) localStorage.removeItem(KEY)
}
