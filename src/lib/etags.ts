/**
 * Whether `If-None-Match` names the tag. By weak comparison (RFC 9110, section 13.1.2): proxies make other tags of ours weak, or strong.
 */
export function isKnownTag(etag: string, header: string | null | undefined): boolean {
  if (header === null || header === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque)
}
