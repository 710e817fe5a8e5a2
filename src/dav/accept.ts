import type { CardVersion } from '../features/objects/sources/rules'

/** A range of media types in `Accept` (RFC 9110, section 12.5.1). */
interface MediaRange {
  readonly type: string
  /** The version of vCard that it names. */
  readonly version: string | undefined
  /** From 0, never, to 1. */
  readonly quality: number
}

/** How much a client wants a version, and whether it names it. */
interface Wish {
  readonly quality: number
  readonly isNamed: boolean
}

/** The version of vCard that a client wants rather than the other (RFC 6352, section 5.1.1.1); undefined for whatever there is. */
export function cardVersionIn(accept: string): CardVersion | undefined {
  const ranges = accept.split(',').map(rangeOf)
  const [three, four] = [wishFor(ranges, '3.0'), wishFor(ranges, '4.0')]
  if (isMore(four, three)) return '4.0'
  return isMore(three, four) ? '3.0' : undefined
}

const isMore = (one: Wish, other: Wish): boolean =>
  one.quality === other.quality ? one.isNamed && !other.isNamed : one.quality > other.quality

function rangeOf(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = new Map(parameters.map(parameterOf))
  const quality = Number(given.get('q') ?? '1')
  return { type, version: given.get('version'), quality: Number.isNaN(quality) ? 1 : quality }
}

function parameterOf(text: string): readonly [name: string, value: string] {
  const [name = '', value = ''] = text.split('=').map((part) => part.trim())
  return [name, value.replaceAll('"', '')]
}

/** The narrower a range is, the more it counts. */
function wishFor(ranges: readonly MediaRange[], version: CardVersion): Wish {
  const named = ranges.find((range) => range.type === 'text/vcard' && range.version === version)
  if (named) return { quality: named.quality, isNamed: named.quality > 0 }
  const wide = ['text/vcard', 'text/*', '*/*'].map((type) =>
    ranges.find((range) => range.type === type && range.version === undefined),
  )
  return { quality: wide.find((range) => range !== undefined)?.quality ?? 0, isNamed: false }
}
