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

/** Where the web client asks for the second factor, and the cookie by which it knows that this browser began. */
const STEP_COOKIE = { name: 'sign-in-step', path: '/second-factor' }
/** The page reads it as soon as it opens. */
const STEP_SECONDS = 60
/** So much of the token tells it from any other, and gives away no more than that. */
const STEP_LENGTH = 16

/** Tells the page that asks for the second factor which token was given to this browser; its script reads it. */
export const writeStepCookie = ({ setCookie }: CookieJar, config: Config, mfaToken: string): void =>
  setCookie(STEP_COOKIE.name, mfaToken.slice(0, STEP_LENGTH), {
    ...attributes(config),
    httpOnly: false,
    path: STEP_COOKIE.path,
    maxAge: STEP_SECONDS,
  })

/** Where browsers send the cookie of a sign-in at the identity provider. */
const BROWSER_COOKIE_PATH = '/api/auth/oidc'
/** As long as the sign-in may take (contract: oidc.begin). */
const BROWSER_COOKIE_SECONDS = 600

interface NamedCookie {
  readonly name: string
  readonly value: string
}

/** Writes the cookie that binds a sign-in at the identity provider to its browser, beside the session cookie. */
export const writeBrowserCookie = (jar: CookieJar, config: Config, { name, value }: NamedCookie) =>
  add(jar, config, { name, value }, BROWSER_COOKIE_SECONDS)

export const deleteBrowserCookie = (jar: CookieJar, config: Config, name: string) =>
  add(jar, config, { name, value: '' }, 0)

function add(
  { set, setCookie }: CookieJar,
  config: Config,
  { name, value }: NamedCookie,
  maxAge: number,
): void {
  setCookie(name, value, { ...attributes(config), path: BROWSER_COOKIE_PATH, maxAge })
  // Elysia sends several of them only under this spelling, which the plugin does not use.
  set.headers['set-cookie'] = set.headers['Set-Cookie']
  delete set.headers['Set-Cookie']
}

/** Returns the value of a cookie; undefined when the request has none or several of the name. */
export function readCookie(request: Request, name: string): string | undefined {
  const values = valuesOf(request, name)
  return values.length === 1 ? values[0] : undefined
}

/** Returns the session token; `null` when the request has several session cookies, undefined when it has none. */
export function readSessionCookie(request: Request): string | null | undefined {
  const values = readSessionCookies(request)
  if (values.length > 1) return null
  return values[0] || undefined
}

/** Returns the values of all session cookies of the request. */
export const readSessionCookies = (request: Request): string[] => valuesOf(request, NAME)

function valuesOf(request: Request, wanted: string): string[] {
  const values: string[] = []
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const nameEnd = pair.indexOf('=')
    const name = nameEnd === -1 ? pair : pair.slice(0, nameEnd)
    if (name.trim() === wanted) values.push(nameEnd === -1 ? '' : pair.slice(nameEnd + 1).trim())
  }
  return values
}
