import type { Config } from './config'
import type { Db } from './db/client'
import type { CalendarFiles } from './lib/icalendar/icalendar'
import type { Assets } from './lib/ports/assets'
import type { AssistantProtocol } from './lib/ports/assistants'
import type { Clock } from './lib/ports/clock'
import type { IdentityProvider } from './lib/ports/identity-provider'
import type { Logger } from './lib/ports/logging'
import type { Metrics } from './lib/ports/metrics'
import type { IpRanges, PeerAddress } from './lib/ports/network'
import type { CommonPasswords, PasswordHasher } from './lib/ports/passwords'
import type { PushServer } from './lib/ports/push'
import type { Random } from './lib/ports/random'
import type { Readiness } from './lib/ports/readiness'
import type { Cipher, TokenSigner } from './lib/ports/secrets'
import type { Totp } from './lib/ports/totp'
import type { VCards } from './lib/ports/vcards'
import type { Weather } from './lib/ports/weather'
import type { WebAuthn } from './lib/ports/webauthn'
import type { XmlReader } from './lib/ports/xml'

/** Everything that a use-case may use. `main.ts` builds it once; tests fake time, randomness, hashing and network. */
export interface Deps {
  readonly config: Config
  readonly db: Db
  readonly log: Logger
  readonly clock: Clock
  readonly random: Random
  readonly hasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly tokens: TokenSigner
  readonly cipher: Cipher
  readonly totp: Totp
  readonly webauthn: WebAuthn
  readonly metrics: Metrics
  readonly ipRanges: IpRanges
  readonly weather: Weather
  readonly pushServer: PushServer
  /** Undefined where none is configured. */
  readonly identityProvider: IdentityProvider | undefined
  readonly vCards: VCards
  readonly calendarFiles: CalendarFiles
  readonly xml: XmlReader
  readonly assistants: AssistantProtocol
  readonly peerAddress: PeerAddress
  /** The files of Swagger UI. */
  readonly assets: Assets
  /** The files of the web client. */
  readonly client: Assets
  readonly readiness: Readiness
}

/** What use-cases that only read need. */
export type ReadDeps = Pick<Deps, 'db' | 'config'>

/** What use-cases need that also look at the time: those that change records, and some that read. */
export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'config'>
