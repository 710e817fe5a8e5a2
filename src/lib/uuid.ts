/** A version 4 UUID (RFC 9562, section 5.4) of 16 random bytes, in hex without hyphens. */
export const uuidV4Hex = (random: Uint8Array): string => withVersion(random, 4).toHex()

/**
 * A version 7 UUID (RFC 9562, section 5.7) of 16 random bytes. `count` orders those of the same millisecond, up to 2^18 of them
 * (section 6.2, method 1).
 */
export function uuidV7(at: Date, count: number, random: Uint8Array): string {
  const bytes = Uint8Array.from(random)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, at.getTime() / 2 ** 32)
  view.setUint32(2, at.getTime() % 2 ** 32)
  view.setUint16(6, count >> 6)
  view.setUint8(8, count & 0x3f)
  const hex = withVersion(bytes, 7).toHex()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Sets the version and the variant. */
const withVersion = (bytes: Uint8Array, version: number): Uint8Array =>
  bytes.with(6, ((bytes[6] ?? 0) & 0x0f) | (version << 4)).with(8, ((bytes[8] ?? 0) & 0x3f) | 0x80)
