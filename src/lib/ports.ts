/**
 * The interfaces through which the core uses the outside world. Adapters implement them; tests fake the clock, the hasher and
 * the network.
 */

export interface Clock {
  /** The present instant. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes backwards. For durations only. */
  monotonic(): number
  /** Resolves after `ms` milliseconds. */
  sleep(ms: number): Promise<void>
  /** Resolves in the next turn of the event loop, after what is waiting to be read. */
  nextTurn(): Promise<void>
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

/** The account that a hash is for; undefined while there is none yet. */
export interface HashOwner {
  /**
   * The user's id, or the name given at sign-in when it is unknown. The hasher works on at most two hashes of one account at a
   * time.
   */
  readonly account?: number | string | undefined
  /** Part of the hasher's capacity is reserved for sign-ins. */
  readonly isSignIn?: boolean
  /** The network that a sign-in comes from: sign-ins of one network wait for each other. */
  readonly client?: string
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

/** The queue of the hasher is too long. */
export class HasherBusyError extends Error {
  override name = 'HasherBusyError'
}

/** A secret key of the service. Whatever it signs or encrypts carries its `id`. */
export interface SecretKey {
  readonly id: string
  readonly secret: string
}

/** The payload of a session token (contract: sessions.cookie). Times are seconds since the epoch. */
export interface SessionClaims {
  readonly uid: number
  readonly sid: string
  readonly iat: number
  readonly exp: number
}

/** Encrypts secrets for the database. `associated` binds a ciphertext to its owner: decryption must pass the same value. */
export interface Cipher {
  encrypt(text: string, associated: string): Promise<string>
  /** @throws when the key is unknown, the text was changed, or `associated` differs. */
  decrypt(text: string, associated: string): Promise<string>
}

/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, steps of 30 seconds. */
export interface Totp {
  /** A new secret: 160 bits as 32 characters of base32. */
  newSecret(): string
  /** The URI for the QR code that authenticators scan (Key Uri Format). */
  uri(secret: string, label: string): string
  /** The time step of `code`, which may differ by one from that of `at`; undefined for a wrong code. */
  stepOf(secret: string, code: string, at: Date): number | undefined
}

/** The client data that the authenticator signs (Web Authentication Level 3, section 5.8.1), not verified yet. */
export interface ClientData {
  readonly challenge: string
  /** Whether the page was in a frame of another origin, according to the browser. */
  readonly isCrossOrigin: boolean
}

/** A WebAuthn credential as browsers send it in JSON (section 5.1): all binary members are base64url. */
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

/** The state of a credential that the authenticator reports with each use. */
export interface CredentialState {
  readonly signCount: number
  /** Whether the credential can be backed up. */
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
 * user presence and verification, signature. The caller checks the credential's owner, user handle, sign count and backup
 * eligibility. Returns undefined for every failure.
 */
export interface WebAuthn {
  readClientData(clientDataJSON: string): ClientData | undefined
  /** `algorithms`: COSE identifiers of the accepted key types. */
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
  /** The payload of a token signed with any of the keys, whatever its content; undefined for every other text. */
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
  /** The metrics as text, with its media type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}

export interface IpRanges {
  readonly isCidr: (text: string) => boolean
  /** The address in `text`, without the brackets and the port that some proxies add; undefined when there is none. */
  parse(text: string): string | undefined
  /** Whether `ip` is in one of `cidrs`; false for a malformed address. */
  contains(cidrs: readonly string[], ip: string): boolean
  /** Whether `ip` is global unicast: not local, shared, reserved, or a tunnel to such an address (contract: push.addresses). */
  isGlobal(ip: string): boolean
  /** Loopback, private (RFC 1918, RFC 4193) and link-local addresses. */
  isLocal(ip: string): boolean
  /**
   * The networks in which a client can choose its address, the narrowest first: for IPv6 the /64, /56 and /48, for IPv4 (also
   * mapped) the address itself, and one shared network for everything else.
   */
  clientNetworks(ip: string): readonly [ClientNetwork, ...ClientNetwork[]]
}

/** A network of one client, or of several. */
export interface ClientNetwork {
  readonly key: string
  /** The number of clients that it counts as. */
  readonly clients: number
}

/** A result of a search for a place. Degrees are those of WGS 84. */
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
  /** The day in the time zone of the place, as `YYYY-MM-DD`. */
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

/** Both methods reject when the provider fails or sends an invalid response. */
export interface Weather {
  search(query: string): Promise<readonly Place[]>
  forecast(place: { readonly latitude: number; readonly longitude: number }): Promise<Forecast>
}

/** The ntfy server and topic for a user's messages. */
export interface PushTarget {
  readonly serverUrl: string
  readonly topic: string
  readonly token: string | null
}

export interface PushMessage {
  readonly title: string
  readonly message: string
  /** 1 (lowest) to 5; 3 when not given. */
  readonly priority?: number
  /** Tags; the receiver shows those that name an emoji as that emoji. */
  readonly tags?: readonly string[]
  /** The URL to open when the message is tapped. */
  readonly click?: string
  /** `[-_A-Za-z0-9]`, up to 64 characters: a later message with the same id replaces the earlier one. */
  readonly sequenceId: string
}

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The server's name resolves to an address that is not global unicast; nothing was sent. */
  | { readonly kind: 'forbidden_address' }
  /** Any status except 2xx, including redirects. */
  | { readonly kind: 'refused'; readonly status: number }
  /** `reason` is one word for the log. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface PushServer {
  /** Never rejects. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}

/** The address of the peer; undefined when there is no connection. */
export type PeerAddress = (request: Request) => string | undefined

/** Static files that the service serves, by name. */
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

/** A property of a vCard as in a jCard (RFC 7095, section 3.3), except that its value stays escaped. */
export type VCardProperty = readonly [
  /** In lower case. */
  name: string,
  /** Keys are in lower case; `group` is the property's group. */
  params: Readonly<Record<string, string | readonly string[]>>,
  /** The `VALUE` parameter in lower case, or else `unknown`. */
  type: string,
  value: string,
]

/** One card of a file. */
export interface VCardRead {
  /** The unfolded lines: equal for equal cards, regardless of folding and line ends. */
  readonly text: string
  readonly properties: readonly VCardProperty[]
  /** Why the card cannot be used; undefined when it can. */
  readonly problem?: string
}

/** vCard 2.1, 3.0 and 4.0 (RFC 6350) as text. */
export interface VCards {
  /** Reads the cards of a file one by one, so that the caller can pause; properties are converted to version 4.0. */
  read(file: Uint8Array): Iterable<VCardRead>
  /** Prints a card of version 4.0, with folded lines that end with CRLF. */
  print(properties: readonly VCardProperty[]): string
}
