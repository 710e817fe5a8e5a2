import type { FieldProblem } from '../../../lib/errors'

/** Fields that mean something only together; null stands for "not set". */
interface Pairs {
  readonly weatherLat: number | null
  readonly weatherLon: number | null
  readonly quietFrom: string | null
  readonly quietTo: string | null
}

/** What is wrong with settings as a whole (contract: settings.rules). */
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

/** What the encryption of a user's push token binds it to. */
export const pushTokenOwner = (userId: number): string => `ntfy_auth_token:${userId}`

/** What is wrong with the address of a push server, as far as it can be told without asking anybody. */
export function serverUrlProblem(text: string, allowsIp: (ip: string) => boolean): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || /\s/.test(text)) return 'must be an http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  // ntfy lives at the root of its host: a path would be a topic, which is a field of its own.
  if (url.href !== `${url.origin}/`) return 'must be the server alone, without a path'
  // URL has already turned every spelling of an IPv4 address into the dotted one.
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isIp = literal.includes(':') || /^[\d.]+$/.test(literal)
  return isIp && !allowsIp(literal) ? 'must not be a private or reserved address' : undefined
}
