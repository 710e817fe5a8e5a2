/** What an access token may be allowed (contract: tokens.scopes). */
export const SCOPES = [
  'calendars:read',
  'calendars:write',
  'tasks:read',
  'tasks:write',
  'people:read',
  'people:write',
  'overview:read',
  'notifications:write',
  'mcp',
  'dav',
] as const
export type Scope = (typeof SCOPES)[number]

/** The areas whose records a token may read or not. */
export type Area = 'calendars' | 'tasks' | 'people'

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)

/** Whether the scopes allow what needs `needed`: writing includes reading. */
export const allows = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || scopes.some((scope) => scope === needed.replace(/:read$/, ':write'))

/** An app password opens /dav, and nothing on /api. */
export const isAppPassword = (scopes: readonly Scope[]): boolean => scopes.includes('dav')

/** Returns why the scopes make no useful token, or undefined. */
export function scopesProblem(scopes: readonly Scope[]): string | undefined {
  if (isAppPassword(scopes) && !scopes.some((scope) => /^(?:calendars|tasks|people):/.test(scope))) {
    return 'dav needs a scope of calendars, tasks or people beside it'
  }
  return scopes.includes('mcp') && !scopes.some((scope) => scope.includes(':'))
    ? 'mcp needs the scope of an area beside it'
    : undefined
}

/** Whoever calls, with the grant of an access token if they use one. */
export interface Granted {
  readonly token?: { readonly scopes: readonly Scope[] }
}

/** Whether the caller may read records of the area: always with a session. */
export const mayRead = ({ token }: Granted, area: Area): boolean =>
  token === undefined || allows(token.scopes, `${area}:read`)
