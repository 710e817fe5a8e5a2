/** What the core needs from the outside world. Adapters implement these; tests fake the clock, the hasher and the network. */

export interface Clock {
  /** The present instant. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes backwards. For durations only. */
  monotonic(): number
  /** Resolves after `ms` milliseconds. */
  sleep(ms: number): Promise<void>
}

export interface Random {
  /** `length` cryptographically secure random bytes. */
  bytes(length: number): Uint8Array
}

export interface PasswordCheck {
  readonly ok: boolean
  /** Set when the password is right and its stored hash should be replaced by this one. */
  readonly upgradedHash?: string
}

/** Who a hash is made for; nobody's own while there is no account yet. */
export interface HashOwner {
  /** The user's id, or the name that an unknown one signs in with: two hashes of one account are made at once. */
  readonly account?: number | string | undefined
  /** Sign-ins have a share of the hasher that nothing else can take. */
  readonly isSignIn?: boolean
}

export interface PasswordHasher {
  /** An encoded Argon2id hash (PHC string) of the NFC form of `password`. */
  hash(password: string, owner?: HashOwner): Promise<string>
  /**
   * Whether `password` matches `hash` (Argon2id PHC string, or legacy bcrypt). A malformed hash is a wrong password.
   * @throws {HasherBusyError} when the expected wait exceeds what the hasher accepts.
   */
  verify(password: string, hash: string, owner?: HashOwner): Promise<PasswordCheck>
}

/** The hasher has more work queued than it can do in reasonable time. */
export class HasherBusyError extends Error {
  override name = 'HasherBusyError'
}

/** A secret of the service under the name that what it made carries. */
export interface SecretKey {
  readonly id: string
  readonly secret: string
}

/** What a session token says (contract: sessions.cookie). Times are seconds since the epoch. */
export interface SessionClaims {
  readonly uid: number
  readonly sid: string
  readonly iat: number
  readonly exp: number
}

/** Keeps secrets in the database. `associated` binds what is encrypted to its owner: both calls must name the same. */
export interface Cipher {
  encrypt(text: string, associated: string): Promise<string>
  /** @throws where the key is unknown, the text was changed, or `associated` differs. */
  decrypt(text: string, associated: string): Promise<string>
}

/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, steps of 30 seconds. */
export interface Totp {
  /** A new secret: 160 bits as 32 characters of base32. */
  newSecret(): string
  /** What authenticators scan (Key Uri Format). */
  uri(secret: string, label: string): string
  /** The time step that `code` belongs to, at most one beside that of `at`; undefined for a wrong code. */
  stepOf(secret: string, code: string, at: Date): number | undefined
}

/** What the browser says that the authenticator signs (Web Authentication Level 3, section 5.8.1), unverified. */
export interface ClientData {
  readonly challenge: string
  /** The page stood in a frame of another origin, or says so. */
  readonly isCrossOrigin: boolean
}

/** A WebAuthn credential as browsers write it in JSON (section 5.1): all binary members are base64url. */
interface PublicKeyCredential<Response> {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: Response
}
type RegistrationCredential = PublicKeyCredential<{
  readonly clientDataJSON: string
  readonly attestationObject: string
}>
type AssertionCredential = PublicKeyCredential<{
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}>

/** What an authenticator says about a credential each time that it uses it. */
export interface CredentialState {
  readonly signCount: number
  /** Whether it may ever be backed up. */
  readonly deviceType: 'singleDevice' | 'multiDevice'
  readonly isBackedUp: boolean
}

export interface NewCredential extends CredentialState {
  /** base64url. */
  readonly credentialId: string
  /** COSE key. */
  readonly publicKey: Uint8Array
}

/**
 * Verifies WebAuthn ceremonies (Web Authentication Level 3, sections 7.1 and 7.2): type, challenge, origin, relying party,
 * user presence and verification, signature. Whose credential it is, its user handle, its sign count and its backup
 * eligibility are for the caller to judge. Whatever is wrong is undefined.
 */
export interface WebAuthn {
  readClientData(clientDataJSON: string): ClientData | undefined
  /** `algorithms`: COSE identifiers of the key types that are taken. */
  verifyRegistration(ceremony: {
    readonly credential: RegistrationCredential
    readonly challenge: string
    readonly algorithms: readonly number[]
  }): Promise<NewCredential | undefined>
  verifyAssertion(ceremony: {
    readonly credential: AssertionCredential
    readonly challenge: string
    readonly publicKey: Uint8Array
  }): Promise<CredentialState | undefined>
}

export interface TokenSigner {
  /** `v1.<key id>.<payload>.<HMAC-SHA-256>`, signed with the first key. */
  sign(claims: SessionClaims): string
  /** The payload of a token that any of the keys signed, whatever it holds; undefined for every other text. */
  verify(token: string): Readonly<Record<string, unknown>> | undefined
}

export type LogFields = Readonly<Record<string, unknown>>

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export interface CompletedRequest {
  readonly method: string
  /** The pattern, never the path: `/api/todos/:id`. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export interface Metrics {
  observeRequest(request: CompletedRequest): void
  /** The metrics and the media type that they are written in. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

export interface IpRanges {
  readonly isCidr: (text: string) => boolean
  /** The address in `text`, without the brackets and the port that some proxies write; undefined where there is none. */
  parse(text: string): string | undefined
  /** Whether `ip` lies in one of `cidrs`. A malformed address lies in none. */
  contains(cidrs: readonly string[], ip: string): boolean
  /** Whether `ip` is global unicast: nothing that is local, shared, reserved or a tunnel to such (contract: push.addresses). */
  isGlobal(ip: string): boolean
  /** Loopback, private (RFC 1918, RFC 4193) and link-local addresses. */
  isLocal(ip: string): boolean
  /**
   * The networks that a client can choose its addresses from, the narrowest first: of IPv6 the /64, /56 and /48, of IPv4 (also of
   * mapped one) the address, and one for all else.
   */
  clientNetworks(ip: string): readonly [ClientNetwork, ...ClientNetwork[]]
}

/** A network that a client has, or shares with others. */
export interface ClientNetwork {
  readonly key: string
  /** For how many clients it counts. */
  readonly clients: number
}

/** A candidate for what somebody searched for. Degrees are those of WGS 84. */
export interface Place {
  readonly name: string
  readonly state: string | null
  readonly country: string | null
  readonly countryCode: string | null
  readonly latitude: number
  readonly longitude: number
  /** An IANA name. */
  readonly timeZone: string | null
}

/** Degrees Celsius and millimetres; `weatherCode` is one of WMO 4677. */
export interface DayForecast {
  /** The day of the place, as `YYYY-MM-DD`. */
  readonly date: string
  readonly weatherCode: number
  readonly temperatureMin: number
  readonly temperatureMax: number
  readonly precipitation: number
}

export interface Forecast {
  /** Degrees Celsius, kilometres an hour, per cent. */
  readonly current: {
    readonly at: Date
    readonly temperature: number
    readonly apparentTemperature: number
    readonly weatherCode: number
    readonly windSpeed: number
    readonly humidity: number
  }
  readonly daily: readonly DayForecast[]
}

/** Both reject where the provider does not answer as it should. */
export interface Weather {
  search(query: string): Promise<readonly Place[]>
  forecast(place: { readonly latitude: number; readonly longitude: number }): Promise<Forecast>
}

/** Where a user's messages go: an ntfy server and a topic of it. */
export interface PushTarget {
  readonly serverUrl: string
  readonly topic: string
  readonly token: string | null
}

export interface PushMessage {
  readonly title: string
  readonly message: string
  /** 1 (least) to 5; 3 where it is not given. */
  readonly priority?: number
  /** Words that the receiver shows as emoji, where they name one. */
  readonly tags?: readonly string[]
  /** What opens when the message is touched. */
  readonly click?: string
  /** `[-_A-Za-z0-9]`, up to 64: of two messages with the same one, the later replaces the earlier. */
  readonly sequenceId: string
}

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The name of the server leads to an address that is not global unicast; nothing was sent. */
  | { readonly kind: 'forbidden_address' }
  /** Any status but 2xx, redirects included. */
  | { readonly kind: 'refused'; readonly status: number }
  /** `reason` is one word for the log. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface PushServer {
  /** Never rejects. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}

/** The address of whoever opened the connection; undefined where there is no connection. */
export type PeerAddress = (request: Request) => string | undefined

/** Files that the service hands out, by name. */
export interface Assets {
  read(
    name: string,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string } | undefined>
}

export interface Readiness {
  /** Whether this instance can serve: the database answers in time, is migrated, and no shutdown has begun. */
  isReady(): Promise<boolean>
  /** Whether a shutdown has begun. */
  isDraining(): boolean
}

export interface CommonPasswords {
  has(password: string): boolean
}

/** A property of a vCard in the form of a jCard's (RFC 7095, section 3.3), but for its value, which stays escaped. */
export type VCardProperty = readonly [
  /** In lower case. */
  name: string,
  /** By names in lower case; `group` is the property's group. */
  params: Readonly<Record<string, string | readonly string[]>>,
  /** The `VALUE` parameter in lower case, else `unknown`. */
  type: string,
  value: string,
]

/** One card of a file. */
export interface VCardRead {
  /** Its lines, unfolded: the same card however it was folded and its lines ended. */
  readonly text: string
  readonly properties: readonly VCardProperty[]
  /** Why it cannot be used, where it cannot. */
  readonly problem?: string
}

/** vCard 2.1, 3.0 and 4.0 (RFC 6350) as text. */
export interface VCards {
  /** The cards of a file, one by one so that the reader may pause between them; their properties as 4.0 writes them. */
  read(file: Uint8Array): Iterable<VCardRead>
  /** A card of version 4.0, folded, its lines ended by CRLF. */
  print(properties: readonly VCardProperty[]): string
}
