import { cookie } from '@elysiajs/cookie'
import type { Config } from '../config'

const NAME = 'session'

interface CookieJar {
  readonly set: { readonly headers: Record<string, unknown> }
  readonly setCookie: (name: string, value: string, attributes: Record<string, unknown>) => void
}

/** Lets handlers write cookies: `setCookie` in their context. */
export const cookies = () => cookie().as('global')

const attributes = ({ session }: Config) => ({
  httpOnly: true,
  secure: session.cookieSecure,
  sameSite: 'lax',
  path: '/',
})

/** A response has only one session cookie: the handler's cookie replaces the one that the sliding of the session wrote before. */
function write({ set, setCookie }: CookieJar, config: Config, value: string, maxAgeSeconds: number): void {
  delete set.headers['Set-Cookie']
  setCookie(NAME, value, { ...attributes(config), maxAge: maxAgeSeconds })
}

/** Writes the session cookie (contract: sessions.cookie). */
export const writeSessionCookie = (jar: CookieJar, config: Config, token: string) =>
  write(jar, config, token, config.session.maxAgeDays * 86_400)

/** Deletes the cookie even when this request did not send one, because another tab may have set it. */
export const deleteSessionCookie = (jar: CookieJar, config: Config) => write(jar, config, '', 0)

/** Returns the session token; `null` when the request has several session cookies, undefined when it has none. */
export function readSessionCookie(request: Request): string | null | undefined {
  const values = readSessionCookies(request)
  if (values.length > 1) return null
  return values[0] || undefined
}

/** Returns the values of all session cookies of the request. */
export function readSessionCookies(request: Request): string[] {
  const values: string[] = []
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const nameEnd = pair.indexOf('=')
    const name = nameEnd === -1 ? pair : pair.slice(0, nameEnd)
    if (name.trim() === NAME) values.push(nameEnd === -1 ? '' : pair.slice(nameEnd + 1).trim())
  }
  return values
}
