/** Identifies a resource of this service, whatever its address (RFC 5842). */
export const uuidUrn = (kind: number, id: number): string =>
  `urn:uuid:00000000-0000-4000-8${kind.toString(16).padStart(3, '0')}-${id.toString(16).padStart(12, '0')}`

export const USER_URN = 1
