/**
 * Whether `If-None-Match` contains the tag. Uses weak comparison (RFC 9110, section 13.1.2), as proxies change tags between
 * weak and strong.
 */
export function isKnownTag(etag: string, header: string | null | undefined): boolean {
  if (header === null || header === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque)
}
