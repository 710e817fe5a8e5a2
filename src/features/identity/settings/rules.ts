import type { FieldProblem } from '../../../lib/errors'

/** Fields that are meaningful only in pairs; null stands for "not set". */
interface Pairs {
  readonly weatherLat: number | null
  readonly weatherLon: number | null
  readonly quietFrom: string | null
  readonly quietTo: string | null
}

/** Checks rules across fields (contract: settings.rules). */
export function pairProblems({ weatherLat, weatherLon, quietFrom, quietTo }: Pairs): FieldProblem[] {
  return [
    ...half('weather_lat', 'weather_lon', weatherLat, weatherLon),
    ...half('quiet_from', 'quiet_to', quietFrom, quietTo),
  ]
}

function half(one: string, other: string, first: unknown, second: unknown): FieldProblem[] {
  if ((first === null) === (second === null)) return []
  const [missing, given] = first === null ? [one, other] : [other, one]
  return [{ field: `body.${missing}`, message: `must be given together with ${given}` }]
}

/** The additional authenticated data that binds an encrypted push token to its user. */
export const pushTokenOwner = (userId: number): string => `ntfy_auth_token:${userId}`

/** Returns what is wrong with the address of a push server, as far as a check without the network can tell. */
export function serverUrlProblem(text: string, allowsIp: (ip: string) => boolean): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:/.test(url.protocol) || /\s/.test(text)) return 'must be an http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  // ntfy runs at the root of its host: a path would be a topic, which is a field of its own.
  if (url.href !== `${url.origin}/`) return 'must be the server alone, without a path'
  // `URL` has already normalised every notation of an IPv4 address to the dotted one.
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  const isIp = literal.includes(':') || /^[\d.]+$/.test(literal)
  return isIp && !allowsIp(literal) ? 'must not be a private or reserved address' : undefined
}
