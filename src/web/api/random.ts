/**
 * A new key of a write that is safe to repeat (RFC 9562, version 4). `crypto.randomUUID` exists only under https and on localhost,
 * and a household may have neither.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A number from 0 up to 1, to spread what clients would else do at once. */
export const randomShare = (): number => randomInteger() / 2 ** 32

/** An integer of 32 random bits. */
export const randomInteger = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
