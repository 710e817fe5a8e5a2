import { Authenticator, type Lies } from './authenticator'
import type { Harness } from './harness'

export const PASSKEYS = '/api/auth/passkeys'

/** Whoever can send requests: an actor, or a stranger. */
export interface Sender {
  request: Harness['request']
}

/** Registers a passkey of the caller's; answers its authenticator and its record. */
export async function register(
  sender: Sender,
  { name, ...options }: ConstructorParameters<typeof Authenticator>[0] & { name?: string } = {},
) {
  const authenticator = new Authenticator(options)
  const begun = await sender.request('POST', `${PASSKEYS}/register/begin`)
  const credential = await authenticator.create(begun.body.options)
  const body = { credential, ...(name !== undefined && { name }) }
  const { status, body: passkey } = await sender.request('POST', `${PASSKEYS}/register/complete`, { body })
  if (status !== 201) throw new Error(`registration answered ${status}`)
  return { authenticator, passkey }
}

/** The options of a new ceremony. */
export const begin = async (sender: Sender, ceremony = 'login') =>
  (await sender.request('POST', `${PASSKEYS}/${ceremony}/begin`)).body.options

export const complete = (sender: Sender, body: object) =>
  sender.request('POST', `${PASSKEYS}/login/complete`, { body })

/** A whole sign-in, honest but for `lies`. */
export async function signIn(sender: Sender, authenticator: Authenticator, lies: Lies = {}) {
  return complete(sender, { credential: await authenticator.get(await begin(sender), lies) })
}
