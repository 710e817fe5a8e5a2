/** When a sign-in at the provider counts as two factors. */
export const OIDC_MFA = ['trust', 'amr', 'never'] as const

/** The provider of the configuration. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  /** What people know the provider by. */
  readonly name: string
  /** Separated by spaces. */
  readonly scopes: string
  /** Whether people whom only the provider knows get accounts. */
  readonly registers: boolean
  readonly mfa: (typeof OIDC_MFA)[number]
  /** Whether passwords and passkeys are refused. */
  readonly isOnly: boolean
}

/** Why the provider proved nobody. `reason` is a word or two for the log and the audit; it quotes no token. */
export interface ProviderFailure {
  readonly failure: 'cancelled' | 'unavailable' | 'refused'
  readonly reason: string
}

/** What binds an answer of the provider to the request that asked for it. */
export interface Binding {
  readonly state: string
  readonly nonce: string
  /** For PKCE (RFC 7636). */
  readonly codeVerifier: string
}

export interface SignInRequest extends Binding {
  /** Whether the user must prove themselves anew, however lately they have done so. */
  readonly isReauthentication: boolean
}

/** Somebody whom the provider knows (OpenID Connect Core 1.0, section 5.1). Their texts are as long as the provider likes. */
export interface ProvedIdentity {
  readonly issuer: string
  readonly subject: string
  /** The provider's session; null when it names none. */
  readonly sid: string | null
  readonly name: string | null
  readonly username: string | null
  readonly email: string | null
  readonly isEmailVerified: boolean
  /** How the user proved themselves (RFC 8176); empty when the provider does not say. */
  readonly methods: readonly string[]
  /** When the user last proved themselves; null when the provider does not say. */
  readonly authenticatedAt: Date | null
}

/** Whom the provider signs out: everybody of `sid`, or of `subject` where there is no `sid`. */
export type SignedOut = { readonly issuer: string } & (
  { readonly subject: string; readonly sid: string | null } | { readonly subject: null; readonly sid: string }
)

/** An OpenID provider. No method rejects, and each ends within the deadline of a request. */
export interface IdentityProvider {
  /** The address to which the browser is sent. */
  authorizationUrl(request: SignInRequest): Promise<string | ProviderFailure>
  /** Exchanges the answer that the browser brings back, and verifies all that the provider says. */
  redeem(answer: URLSearchParams, binding: Binding): Promise<ProvedIdentity | ProviderFailure>
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
  readLogout(token: string): Promise<SignedOut | ProviderFailure>
}
