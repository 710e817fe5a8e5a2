import { codeAt } from '../authenticator-app'
import { SCENARIO } from './index'
import type { Step } from './steps'

interface Sent {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export type Transport = (sent: Sent) => Promise<Received>

/** A step with what was answered. */
export interface Answer extends Received {
  readonly step: Step
}

interface Stage {
  readonly transport: Transport
  /** The service's time. */
  readonly now: () => Date
}

/** Sends the whole scenario, one request after the other. @throws at the first answer with another status. */
export async function play({ transport, now }: Stage): Promise<Answer[]> {
  const cookies = new Map<string, string>()
  const kept = new Map<string, unknown>()
  const answers: Answer[] = []
  for (const step of SCENARIO) {
    const fill = filler(kept, now())
    const [method = '', ...path] = step.send.split(' ')
    const received = await transport({
      method,
      path: String(fill(path.join(' '), encodeURIComponent)),
      headers: { ...headersOf(step, cookies.get(step.as)), ...textsOf(step.headers, fill) },
      body: step.body === undefined ? undefined : textOf(fill(step.body)),
    })
    if (received.status !== step.answers) {
      throw new Error(`${step.as}: ${step.send} was answered ${received.status} ${received.body}`)
    }
    const cookie = received.headers.getSetCookie()[0]?.split(';')[0]
    if (cookie !== undefined) cookies.set(step.as, cookie)
    if (step.keep !== undefined) kept.set(step.keep, JSON.parse(received.body))
    answers.push({ ...received, step })
  }
  return answers
}

const headersOf = ({ body }: Step, cookie: string | undefined) => ({
  'user-agent': 'organiser tests',
  'accept-encoding': 'identity',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(cookie !== undefined && { cookie }),
})

const textsOf = (headers: Step['headers'] = {}, fill: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(fill(value))]))

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const PLACEHOLDER = /\{(code:)?([\w ]+(?:\.\w+)+)([+-]\d)?\}/g

/** Puts what was kept for the placeholders of a value; one that is a text of its own keeps its type. */
function filler(kept: ReadonlyMap<string, unknown>, now: Date) {
  const find = (isCode: boolean, path: string, steps: number): unknown => {
    const [name = '', ...fields] = path.split('.')
    const found = fields.reduce<unknown>((value, field) => Reflect.get(Object(value), field), kept.get(name))
    if (found === undefined || found === null) throw new Error(`nothing was kept as ${path}`)
    return isCode && typeof found === 'string' ? codeAt(found, now, steps) : found
  }
  const fill = (value: unknown, encode: (text: string) => string = String): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(item))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fill(field)]))
    }
    if (typeof value !== 'string') return value
    const [only] = value.matchAll(PLACEHOLDER)
    const found = (code: string | undefined, path: string, steps: string | undefined) =>
      find(code !== undefined, path, Number(steps ?? 0))
    if (only && only[0] === value) return found(only[1], only[2] ?? '', only[3])
    return value.replaceAll(PLACEHOLDER, (_, code, path, steps) => encode(String(found(code, path, steps))))
  }
  return fill
}

/** Through `fetch`, at `url`. */
export const overFetch =
  (url: string): Transport =>
  async ({ method, path, headers, body }) => {
    const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
