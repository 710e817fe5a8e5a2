import { textOf } from '../support/streams'
import { type Cast, heal, newcomer, type Person } from './cast'
import type { Answer } from './judge'
import { acceptedBy, type Operation, pathWith, type Sent } from './requests'

/** Sends a request; what it teaches is learnt, and what it broke for later ones is mended. */
export async function settle(cast: Cast, sent: Sent): Promise<Answer> {
  const answer = await send(cast, sent)
  cast.h.clock.advance({ seconds: 5 })
  await after(cast, answer)
  return answer
}

/** Operations with which people end their sessions or accounts. */
const RISKY = new Set(['Accounts', 'Sessions', 'Second factors', 'Passkeys'])
export const isRisky = ({ operation }: Operation) => RISKY.has(operation.tags?.[0] ?? '')

export async function send({ h }: Pick<Cast, 'h'>, sent: Sent): Promise<Answer> {
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

async function after(cast: Cast, answer: Answer): Promise<void> {
  const { sent, status } = answer
  const isSpent = status >= 400 && SPENT.test(answer.text)
  if (status < 300) learn(answer)
  if (isSpent || (status < 300 && isRisky(sent.operation))) await mend(cast, sent.person)
}

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
