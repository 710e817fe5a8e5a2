/** Scheme and user, hosts, and the rest of a database URL. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?#]*)(.*)$/
const ATTRIBUTES = 'target_session_attrs'

/** The URLs of the servers that a database URL names, in their order: as libpq has it, its hosts are separated by commas. */
export function serversOf(url: string): readonly string[] {
  const [, start, hosts, rest] = PARTS.exec(url) ?? []
  if (start === undefined || hosts === undefined || rest === undefined) return [url]
  return hosts.split(',').map((host) => withoutAttributes(start + host + rest))
}

function withoutAttributes(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed?.searchParams.has(ATTRIBUTES)) return url
  parsed.searchParams.delete(ATTRIBUTES)
  return parsed.href
}

/** Whether only the server counts that takes writes: one of several, or as the URL says. */
export const wantsPrimary = (url: string): boolean =>
  serversOf(url).length > 1 || new RegExp(`[?&]${ATTRIBUTES}=(?:read-write|primary)(?:&|$)`).test(url)
