/** Splits a comma-separated list; ignores spaces around entries and empty entries. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Returns `scheme://host[:port]` when the text is exactly an http(s) origin, else undefined. */
export function httpOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return text === url.origin || text === `${url.origin}/` ? url.origin : undefined
}

/** Whether the text is the URL of an OpenID provider: https, or http on this machine (contract: oidc.network). */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}
