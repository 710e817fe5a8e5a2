import { CLIENT } from './oidc-provider'
import { useOpened } from './use-started'

/** Answers in the place of an endpoint; undefined leaves it as it is. */
type Answer = (request: Request) => Response | Promise<Response> | undefined

const ENDPOINTS = ['discovery', 'jwks', 'token', 'userinfo'] as const
type Endpoint = (typeof ENDPOINTS)[number]

const KEY = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

type SigningKey = Awaited<ReturnType<typeof drawKey>>

/** A key with an id, as a provider signs with. */
export async function drawKey(kid: string) {
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ ...KEY, hash: 'SHA-256' }, true, [
    'sign',
    'verify',
  ])
  const jwk = await crypto.subtle.exportKey('jwk', publicKey)
  return { kid, privateKey, jwk: { ...jwk, kid, use: 'sig', alg: 'RS256' } }
}

/** A signed JWT of any content. */
export async function signedJwt(key: SigningKey, claims: object, header: object = {}): Promise<string> {
  const content = `${encode({ alg: 'RS256', kid: key.kid, ...header })}.${encode(claims)}`
  const signature = await crypto.subtle.sign(KEY.name, key.privateKey, Buffer.from(content))
  return `${content}.${Buffer.from(signature).toString('base64url')}`
}

/** A JWT that nobody has signed. */
export const unsignedJwt = (claims: object, header: object = { alg: 'none' }): string =>
  `${encode(header)}.${encode(claims)}.`

/** A provider on 127.0.0.1 that mints what a test likes. `asked` are the requests that it got. */
export async function startHostileProvider() {
  const first = await drawKey('first')
  const asked: Array<{ endpoint: Endpoint; body: URLSearchParams }> = []
  const state = {
    /** The nonce of the sign-in under way. */
    nonce: '',
    claims: {} as object,
    key: first,
    keys: [first],
    discovery: {} as object,
    answers: {} as Partial<Record<Endpoint, Answer>>,
    /** What the ID token is in the end; by default its claims, signed. */
    mint: undefined as ((claims: object) => string | Promise<string>) | undefined,
    userinfo: { sub: 'sub-1' } as object,
  }
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url)
    const endpoint = ENDPOINTS.find((name) => pathname === `/${name}`) ?? 'discovery'
    asked.push({ endpoint, body: new URLSearchParams(await request.clone().text()) })
    return (await state.answers[endpoint]?.(request)) ?? (await asUsual[endpoint]())
  }
  const listen = (at: number) => Bun.serve({ hostname: '127.0.0.1', port: at, fetch: answer })
  let server: ReturnType<typeof listen> | undefined = listen(0)
  const port = server.port ?? 0
  const issuer = `http://127.0.0.1:${port}`
  const asUsual: Record<Endpoint, () => Promise<Response>> = {
    discovery: async () =>
      Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...state.discovery,
      }),
    jwks: async () => Response.json({ keys: state.keys.map(({ jwk }) => jwk) }),
    token: async () => {
      const claims = { ...claimsNow(), nonce: state.nonce, ...state.claims }
      const id_token = await (state.mint?.(claims) ?? signedJwt(state.key, claims))
      return Response.json({ access_token: 'an access token', token_type: 'Bearer', id_token })
    },
    userinfo: async () => Response.json(state.userinfo),
  }
  const seconds = () => Math.floor(Date.now() / 1000)
  /** Good claims; those that are undefined are left out. */
  const claimsNow = () => ({
    iss: issuer,
    sub: 'sub-1',
    aud: CLIENT.id,
    iat: seconds(),
    exp: seconds() + 300,
    name: 'Somebody',
    preferred_username: 'somebody',
    email: 'somebody@example.org',
  })
  const usual = { ...state }
  return {
    issuer,
    state,
    asked,
    seconds,
    claimsNow,
    /** Back to what a good provider does. */
    behave: () => void Object.assign(state, usual, { answers: {} }),
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_NAME: 'Home',
      OIDC_REGISTER: 'on',
      AUTH_RATE_LIMIT: 'off',
    },
    /** Listens again at the same address, if it was closed. */
    open: () => {
      server ??= listen(port)
    },
    async [Symbol.asyncDispose]() {
      await server?.stop(true)
      server = undefined
    },
  }
}

/** A hostile provider for all tests of the file; its address is known before they start. */
export const useHostileProvider = async () => useOpened(await startHostileProvider())
