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
