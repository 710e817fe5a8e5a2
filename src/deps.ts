import type { Config } from './config'
import type { Db } from './db/client'
import type { CalendarFiles } from './lib/icalendar/icalendar'
import type {
  Assets,
  Cipher,
  Clock,
  CommonPasswords,
  IpRanges,
  Logger,
  Metrics,
  PasswordHasher,
  PeerAddress,
  PushServer,
  Random,
  Readiness,
  TokenSigner,
  Totp,
  WebAuthn,
  Weather,
  VCards,
} from './lib/ports'

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
  readonly vCards: VCards
  readonly calendarFiles: CalendarFiles
  readonly peerAddress: PeerAddress
  readonly assets: Assets
  readonly readiness: Readiness
}

/** What use-cases that only read need. */
export type ReadDeps = Pick<Deps, 'db' | 'config'>

/** What use-cases that change records need. */
export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'config'>
