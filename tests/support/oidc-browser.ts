import type { Harness } from './harness'
import { CALLBACK, type ProviderAccount, SITTER } from './oidc-provider'

export const OIDC = '/api/auth/oidc'

/** A browser: it keeps the cookies of the service and of the provider, and goes where it is sent. */
export function openBrowser(h: Harness, session?: string) {
  const [own, foreign] = [new Map<string, string>(), new Map<string, string>()]
  if (session !== undefined) own.set('session', session)

  async function request(method: string, path: string, headers: Record<string, string> = {}) {
    const answer = await h.request(method, path, {
      headers: { ...(own.size > 0 && { cookie: headerOf(own) }), ...headers },
    })
    keep(own, answer.headers)
    if (answer.status === 500) throw new Error(`${method} ${path}: ${answer.status}`)
    return { ...answer, location: answer.headers.get('location') ?? '' }
  }
  const begin = (query = '', headers: Record<string, string> = {}) =>
    request('GET', `${OIDC}/begin${query}`, headers)

  /** What becomes of a visit to the provider: the path to which it sends the browser back. */
  async function visit(address: string, who: ProviderAccount | undefined): Promise<string> {
    let url = new URL(address)
    for (let step = 0; step < 10; step++) {
      if (url.href.startsWith(CALLBACK)) return `${url.pathname}${url.search}`
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: headerOf(foreign), ...(who && { [SITTER]: JSON.stringify(who) }) },
      })
      keep(foreign, response.headers)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${response.status}: ${await response.text()}`)
      url = new URL(location, url)
    }
    throw new Error('the provider goes round in circles')
  }

  return {
    own,
    request,
    begin,
    visit,
    /** Begins, visits the provider as `who`, and comes back. */
    async signOn(who: ProviderAccount | undefined, query = '') {
      const { location } = await begin(query)
      return request('GET', await visit(location, who))
    },
    get session() {
      return own.get('session')
    },
  }
}

export type Browser = ReturnType<typeof openBrowser>

const headerOf = (jar: ReadonlyMap<string, string>) =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

function keep(jar: Map<string, string>, headers: Headers): void {
  for (const header of headers.getSetCookie()) {
    const [pair = '', ...attributes] = header.split(/; ?/)
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const isGone = attributes.some((attribute) =>
      /^(?:max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute),
    )
    if (isGone || value === '') jar.delete(name)
    else jar.set(name, value)
  }
}
