import { textOf } from '../support/streams'
import { type Cast, heal, newcomer, type Person } from './cast'
import { ending } from './findings'
import type { Answer } from './judge'
import { acceptedBy, type Operation, pathWith, type Sent } from './requests'

/** Sends a request, and follows it up. */
export async function settle(cast: Cast, sent: Sent): Promise<Answer> {
  const answer = await send(cast, sent)
  await followUp(cast, answer)
  return answer
}

/** What an answer teaches is learnt, and what its request broke for later ones is mended. */
export async function followUp(cast: Cast, answer: Answer): Promise<void> {
  const { sent, status } = answer
  cast.h.clock.advance({ seconds: 5 })
  const isSpent = status >= 400 && SPENT.test(answer.text)
  if (status < 300) learn(answer)
  if (isSpent || (status < 300 && isRisky(sent.operation))) await mend(cast, sent.person)
}

/** Operations with which people end their sessions or accounts. */
const RISKY = new Set(['Accounts', 'Sessions', 'Second factors', 'Passkeys'])
export const isRisky = ({ operation }: Operation) => RISKY.has(operation.tags?.[0] ?? '')

/** @throws {HangingError}. */
export const send = ({ h }: Pick<Cast, 'h'>, sent: Sent): Promise<Answer> =>
  ending(answerTo(h, sent), sent.operation.title, { example: () => shownOf(sent) })

/** A request as a finding shows it. */
export function shownOf({ operation, ids, query, body }: Sent): string {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return `${pathWith(operation.path, ids).slice(0, 300)}${query.slice(0, 400)} ${text.slice(0, 1500)}`
}

async function answerTo(h: Cast['h'], sent: Sent): Promise<Answer> {
  const { operation, ids, query, headers } = sent
  const response = await h.app.fetch(
    new Request(`http://localhost${pathWith(operation.path, ids)}${query}`, {
      method: operation.method,
      headers,
      ...(sent.body !== undefined && { body: sent.body }),
    }),
  )
  return { sent, status: response.status, headers: response.headers, text: await textOf(response) }
}

/** Refusals of a caller who meant well, and whose session or account has to be mended for the next request. */
const SPENT =
  /^\{"detail":"(?:Session has been|User not found or inactive|Session is locked|Password change required|Recent auth|Account locked|Incorrect password|Account is disabled)/

function learn({ sent, text: answered }: Answer): void {
  const { person, operation, ids, body } = sent
  person.pool.harvest({ ...operation, ids }, answered.startsWith('{') ? JSON.parse(answered) : undefined)
  // A mark of the byte order, which JSON.parse does not know, counts as white space.
  const text = typeof body === 'string' ? body.trim() : ''
  if (text.startsWith('{') && text.length < 5000) person.pool.remember(acceptedBy(operation), text)
}

async function mend(cast: Cast, person: Person): Promise<void> {
  if (await heal(cast, person)) return
  if (Object.values(cast.people).includes(person))
    throw new Error(`${person.username} was deleted and must stay`)
  const at = cast.expendable.indexOf(person)
  if (at !== -1) cast.expendable[at] = await newcomer(cast.h, at)
}
