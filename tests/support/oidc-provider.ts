import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { useOpened } from './use-started'

/** Who signs in at the provider, and how they prove themselves. */
export interface ProviderAccount {
  readonly sub: string
  readonly amr?: readonly string[]
  readonly claims?: Readonly<Record<string, unknown>>
}

export const CLIENT = { id: 'organiser', secret: 'a secret of the client' }
/** `PUBLIC_URL` by default. */
const SERVICE = 'http://localhost:3000'
export const CALLBACK = `${SERVICE}/api/auth/oidc/callback`

/** The header in which a browser of the tests says who sits before it. */
export const SITTER = 'x-sitter'

const INTERACTION = /^\/interaction\//
/** Where the provider sends logout tokens to, in the place of the service. */
const LOGOUT = '/logout-of-the-service'

interface SigningOut {
  backchannelLogout(sub: string, sid: string): Promise<unknown>
}

/**
 * A real OpenID provider on 127.0.0.1. It asks nobody for a password: whoever a request names in `SITTER` is signed in, and
 * nobody without it.
 */
export async function startOidcProvider() {
  const accounts = new Map<string, ProviderAccount>()
  const server = createServer()
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://127.0.0.1:${address.port}`
  const make = (callback: string) => {
    const made: Provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [callback],
          backchannel_logout_uri: `${issuer}${LOGOUT}`,
          backchannel_logout_session_required: true,
        },
      ],
      claims: {
        amr: null,
        acr: null,
        auth_time: null,
        sid: null,
        iss: null,
        openid: ['sub', 'amr'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the tests'] },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: async () => ({ ...accounts.get(sub)?.claims, sub }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new made.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
    return { made, handle: made.callback() }
  }
  let current = make(CALLBACK)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === LOGOUT) void noteLogout(request, response)
    else if (INTERACTION.test(request.url ?? '')) void interact(request, response)
    else void current.handle(request, response)
  })
  const logouts: string[] = []
  const noteLogout = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    logouts.push(Buffer.concat(chunks).toString())
    response.end()
  }
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const said = request.headers[SITTER]
    const account: ProviderAccount | undefined = typeof said === 'string' ? JSON.parse(said) : undefined
    if (account) accounts.set(account.sub, account)
    const result = account
      ? { login: { accountId: account.sub, ...(account.amr && { amr: [...account.amr] }) } }
      : { error: 'access_denied', error_description: 'nobody is here' }
    await current.made.interactionFinished(request, response, result)
  }
  return {
    issuer,
    /** Begins anew, for a service at another address. */
    serveAt: (origin: string) => {
      current = make(`${origin}/api/auth/oidc/callback`)
    },
    /** Signs somebody out as the provider does. Returns the form that it sends to the service. */
    async signOut(sub: string, sid: string): Promise<string> {
      const client = await current.made.Client.find(CLIENT.id)
      // The types do not know this method, by which the provider itself signs out.
      await (client as unknown as SigningOut).backchannelLogout(sub, sid)
      return logouts.at(-1) ?? ''
    },
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Home',
      AUTH_RATE_LIMIT: 'off',
    },
    /** Listens again at the same address, if it was closed. */
    async open() {
      if (!server.listening) await listen(address.port)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A provider for all tests of the file; its address is known before they start. */
export const useOidcProvider = async () => useOpened(await startOidcProvider())
