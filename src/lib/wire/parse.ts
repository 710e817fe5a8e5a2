/** Splits a comma-separated list; spaces around entries and empty entries do not count. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** `scheme://host[:port]` of a URL that is exactly an http(s) origin, else undefined. */
export function httpOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return text === url.origin || text === `${url.origin}/` ? url.origin : undefined
}
