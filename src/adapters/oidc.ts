import * as oauth from 'oauth4webapi'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../lib/ports/clock'
import type {
  Binding,
  IdentityProvider,
  ProvedIdentity,
  ProviderFailure,
  ProviderSettings,
  SignedOut,
  SignInRequest,
} from '../lib/ports/identity-provider'
import { isStorable } from '../lib/text'
import { epochSeconds } from '../lib/time/time'
import { UnusableAnswerError } from './bounded-json'
import { failureReason } from './network-failure'
import { createProviderFetch } from './oidc.fetch'
import { RecentAnswers } from './recent-answers'
import { rejectedBy, type Resolve, resolveHost } from './resolved-addresses'

/** Between the provider's clock and ours. */
const LEEWAY_SECONDS = 60
const DISCOVERY_MAX_AGE_MS = 3_600_000
const MAX_BYTES = 262_144
/** Of one call, and of all calls of one request, which must end within ten seconds. */
const DEADLINES = { callMs: 5000, allMs: 8000 }

interface OidcOptions extends Pick<ProviderSettings, 'issuer' | 'clientId' | 'clientSecret' | 'scopes'> {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly isGlobal: (ip: string) => boolean
  readonly resolve?: Resolve
  readonly deadlines?: typeof DEADLINES
}

/** The address that the provider has to know. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/api/auth/oidc/callback`

/**
 * OpenID Connect Core 1.0 by the authorization code with PKCE (RFC 7636) and `iss` (RFC 9207). Discovery is kept for an hour. The
 * library keeps the keys for five minutes, and fetches them anew for an unknown key, once a minute at most. It refuses `none`
 * and symmetric algorithms.
 */
export function createOidc(given: OidcOptions): IdentityProvider {
  const { clock, deadlines = DEADLINES } = given
  const connection = connectionOf(given)
  const memory = { maxAgeMs: DISCOVERY_MAX_AGE_MS, maxEntries: 1, nowMs: () => clock.monotonic() }
  const discoveries = new RecentAnswers<oauth.AuthorizationServer>(memory)
  /** Does the work with what the provider says of itself, within the limits of a request. */
  const withProvider = async <T>(
    work: (as: oauth.AuthorizationServer) => Promise<T>,
  ): Promise<T | ProviderFailure> => {
    const inTime = rejectedBy(AbortSignal.timeout(deadlines.allMs))
    try {
      const discovered = discoveries.get('', () => discover(connection))
      return await Promise.race([discovered.then(work), inTime])
    } catch (error) {
      return toFailure(error)
    }
  }
  return {
    authorizationUrl: (request) => withProvider((as) => toAuthorizationUrl(connection, as, request)),
    redeem: (answer, binding) =>
      withProvider(async (as) => {
        const { claims, accessToken } = await readTokens(connection, as, answer, binding)
        const isComplete = claims.preferred_username && claims.email && claims.name
        const more =
          isComplete || !as.userinfo_endpoint
            ? {}
            : await readUserInfo(connection, as, accessToken, claims.sub)
        return toIdentity(claims, more)
      }),
    readLogout: (token) => withProvider((as) => readLogoutToken(connection, as, token)),
  }
}

type Connection = ReturnType<typeof connectionOf>

function connectionOf({ deadlines = DEADLINES, resolve = resolveHost, ...given }: OidcOptions) {
  const issuer = new URL(given.issuer)
  const client: oauth.Client = { client_id: given.clientId, [oauth.clockTolerance]: LEEWAY_SECONDS }
  const limits = { maxBytes: MAX_BYTES, deadlineMs: deadlines.callMs }
  const options = {
    [oauth.customFetch]: createProviderFetch({ issuer, isGlobal: given.isGlobal, resolve, ...limits }),
    // The configuration allows http for an issuer on this machine alone.
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  }
  return { ...given, issuer, client, options }
}

async function discover({ issuer, options }: Connection): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(issuer, options)
  const as = await oauth.processDiscoveryResponse(issuer, response)
  // Logout tokens are signed as ID tokens are (Back-Channel Logout 1.0, section 2.6).
  return { ...as, authorization_signing_alg_values_supported: as.id_token_signing_alg_values_supported ?? [] }
}

/** Exchanges the code, and verifies the ID token. */
async function readTokens(
  { client, clientId, clientSecret, redirectUri, options, clock }: Connection,
  as: oauth.AuthorizationServer,
  answer: URLSearchParams,
  { state, nonce, codeVerifier }: Binding,
) {
  const accepted = oauth.validateAuthResponse(as, client, answer, state)
  const authentication = authenticationOf(as, clientSecret)
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    accepted,
    redirectUri,
    codeVerifier,
    options,
  )
  const expected = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected)
  await oauth.validateApplicationLevelSignature(as, response, options)
  const claims = checkedAs(IdTokenClaims, oauth.getValidatedIdTokenClaims(tokens))
  // Core, section 3.1.3.7: the library looks at `azp` only where there are several audiences.
  if (claims.azp !== undefined && claims.azp !== clientId) throw new RefusedClaimError('azp')
  refuseFuture(claims.iat, clock)
  refuseUnstorable(claims)
  return { claims, accessToken: tokens.access_token }
}

/** The library refuses the claims of another subject. */
async function readUserInfo(
  { client, options }: Connection,
  as: oauth.AuthorizationServer,
  accessToken: string,
  subject: string,
) {
  const response = await oauth.userInfoRequest(as, client, accessToken, options)
  return checkedAs(ProfileClaims, await oauth.processUserInfoResponse(as, client, subject, response))
}

async function readLogoutToken(
  { client, options, clock }: Connection,
  as: oauth.AuthorizationServer,
  token: string,
): Promise<SignedOut> {
  // The library verifies a signed authorization response just as a logout token must be verified.
  const response = new URLSearchParams({ response: token })
  await oauth.validateJwtAuthResponse(as, client, response, oauth.expectNoState, options)
  const claims = checkedAs(LogoutClaims, payloadOf(token))
  refuseFuture(claims.iat, clock)
  refuseUnstorable(claims)
  return toSignedOut(claims)
}

/** A claim that the library does not look at is wrong. The message is its name. */
class RefusedClaimError extends Error {
  override name = 'RefusedClaimError'
}

const text = () => Type.Optional(Type.String())
const ProfileClaims = Type.Object({
  name: text(),
  preferred_username: text(),
  email: text(),
  // Some providers send a text; only `true` counts.
  email_verified: Type.Optional(Type.Unknown()),
})
const IdTokenClaims = Type.Object({
  ...ProfileClaims.properties,
  iss: Type.String(),
  sub: Type.String({ minLength: 1, maxLength: 255 }),
  iat: Type.Number(),
  azp: text(),
  sid: Type.Optional(Type.String({ maxLength: 255 })),
  amr: Type.Optional(Type.Array(Type.String())),
  auth_time: Type.Optional(Type.Number({ minimum: 0, maximum: 8_640_000_000_000 })),
})
const LogoutClaims = Type.Object({
  iss: Type.String(),
  iat: Type.Number(),
  jti: Type.String(),
  sub: text(),
  sid: text(),
  nonce: Type.Optional(Type.Never()),
  events: Type.Object({ 'http://schemas.openid.net/event/backchannel-logout': Type.Object({}) }),
})

/** @throws {RefusedClaimError} naming the first claim of another shape. */
function checkedAs<T extends typeof IdTokenClaims | typeof ProfileClaims | typeof LogoutClaims>(
  schema: T,
  claims: unknown,
): Static<T> {
  if (Value.Check(schema, claims)) return claims
  const [problem] = Value.Errors(schema, claims)
  throw new RefusedClaimError(problem?.instancePath.split('/')[1] || 'missing_claims')
}

function refuseFuture(iat: number, clock: Pick<Clock, 'now'>): void {
  if (iat > epochSeconds(clock.now()) + LEEWAY_SECONDS) throw new RefusedClaimError('iat')
}

/** The database refuses some texts, and takes others for the same. */
function refuseUnstorable({ sub = '', sid = '' }: { readonly sub?: string; readonly sid?: string }): void {
  if (!isStorable(sub)) throw new RefusedClaimError('sub')
  if (!isStorable(sid)) throw new RefusedClaimError('sid')
}

function authorizationEndpoint({ authorization_endpoint }: oauth.AuthorizationServer, issuer: URL): URL {
  const url = URL.parse(authorization_endpoint ?? '')
  if (url?.protocol === 'https:' || (url && url.protocol === issuer.protocol)) return url
  throw new RefusedClaimError('authorization_endpoint')
}

async function toAuthorizationUrl(
  { issuer, clientId, scopes, redirectUri }: Connection,
  as: oauth.AuthorizationServer,
  { state, nonce, codeVerifier, isReauthentication }: SignInRequest,
): Promise<string> {
  const address = authorizationEndpoint(as, issuer)
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(isReauthentication && { prompt: 'login', max_age: '0' }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

/** Basic is the default (Discovery 1.0, section 3). */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oauth.AuthorizationServer,
  secret: string | undefined,
): oauth.ClientAuth {
  if (secret === undefined) return oauth.None()
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

/** An e-mail address and whether it is verified come from the same place. */
function toIdentity(
  claims: Static<typeof IdTokenClaims>,
  more: Static<typeof ProfileClaims>,
): ProvedIdentity {
  const { email, email_verified: verified } = claims.email ? claims : more
  return {
    issuer: claims.iss,
    subject: claims.sub,
    sid: claims.sid ?? null,
    name: (claims.name ?? more.name) || null,
    username: (claims.preferred_username ?? more.preferred_username) || null,
    email: email || null,
    isEmailVerified: verified === true,
    methods: claims.amr ?? [],
    authenticatedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000),
  }
}

function toSignedOut({ iss: issuer, sub, sid }: Static<typeof LogoutClaims>): SignedOut {
  if (sub) return { issuer, subject: sub, sid: sid || null }
  if (sid) return { issuer, subject: null, sid }
  throw new RefusedClaimError('sub')
}

function payloadOf(jwt: string): unknown {
  const bytes = Uint8Array.fromBase64(jwt.split('.')[1] ?? '', { alphabet: 'base64url' })
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** What the provider says of itself with these is no refusal (RFC 6749, section 4.1.2.1). */
const IS_DOWN = new Set(['temporarily_unavailable', 'server_error'])
/** The provider answered with something else than the protocol has. */
const UNUSABLE = new Set<unknown>([
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.RESPONSE_IS_NOT_JSON,
  oauth.PARSE_ERROR,
])

function toFailure(error: unknown): ProviderFailure {
  if (error instanceof UnusableAnswerError) return { failure: 'unavailable', reason: error.message }
  if (error instanceof RefusedClaimError)
    return { failure: 'refused', reason: `claim ${wordOf(error.message)}` }
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return { failure: kindOf(error), reason: wordOf(error.error) }
  }
  const reason = failureReason(error)
  const isUnusable = UNUSABLE.has(reason) || reason === 'TimeoutError'
  return { failure: isUnusable ? 'unavailable' : 'refused', reason }
}

function kindOf(
  error: oauth.AuthorizationResponseError | oauth.ResponseBodyError,
): ProviderFailure['failure'] {
  if (IS_DOWN.has(error.error)) return 'unavailable'
  const isCancelled = error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied'
  return isCancelled ? 'cancelled' : 'refused'
}

/** The provider's own word, as far as it is one. */
const wordOf = (said: string) => /^[\w.-]{1,60}$/.exec(said)?.[0] ?? 'unknown'
