import { createCipher } from '../../src/adapters/cipher'
import { commonPasswords } from '../../src/adapters/common-passwords'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { createLogger } from '../../src/adapters/logger'
import { createMetrics } from '../../src/adapters/metrics'
import { hashPassword, verifyPassword } from '../../src/adapters/password-hash'
import { hashEngine } from '../../src/adapters/password-hash.engines'
import { swaggerUiAssets } from '../../src/adapters/assets'
import { createTokenSigner } from '../../src/adapters/token-signer'
import { createTotp } from '../../src/adapters/totp'
import { createWebAuthn } from '../../src/adapters/webauthn'
import { webAssets } from '../../src/adapters/web-assets'
import { vCards } from '../../src/adapters/vcard'
import { calendarFiles } from '../../src/adapters/icalendar'
import { modelContextProtocol } from '../../src/adapters/model-context-protocol'
import { xmlReader } from '../../src/adapters/xml'
import { createApp } from '../../src/app'
import { loadConfig } from '../../src/config'
import { connect } from '../../src/db/client'
import { createReadiness } from '../../src/db/readiness'
import type { Random } from '../../src/lib/ports/random'
import { ManualClock } from '../support/fakes'
import { METRICS_TOKEN } from '../support/scenario/steps'
import { START } from './surroundings'

/** The same bytes in every process, in the order in which they are asked for (Park and Miller's generator). */
function seededRandom(): Random {
  let state = 20_260_304
  const next = () => (state = (state * 48_271) % 0x7fffffff)
  return { bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff) }
}

const unreachable = async (): Promise<never> => {
  throw new Error('the tests have no network')
}

/**
 * The app as `main.ts` puts it together, but for time, chance, the network and the processes that hash. A second passes
 * before every request.
 */
export function openApp(databaseUrl: string) {
  const env = {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
    METRICS_TOKEN,
    HASHER: process.env['HASHER'],
  }
  const config = loadConfig(env, { timeZone: 'Europe/Berlin', cores: 2, isCidr: ipRanges.isCidr })
  const engine = hashEngine(config.password.hasher)
  const { db } = connect(databaseUrl, { pool: 4 })
  const clock = new ManualClock(START)
  const random = seededRandom()
  const app = createApp({
    config,
    db,
    log: createLogger('info', clock),
    clock,
    random,
    hasher: {
      hash: (password) => hashPassword(engine, password, random.bytes(16)),
      verify: (password, hash) => verifyPassword(engine, password, hash, random.bytes(16)),
    },
    commonPasswords,
    tokens: createTokenSigner(config.secretKeys),
    cipher: createCipher(config.secretKeys, random),
    totp: createTotp(random),
    webauthn: createWebAuthn(config.webauthn),
    metrics: createMetrics(),
    ipRanges,
    weather: { search: unreachable, forecast: unreachable },
    identityProvider: undefined,
    pushServer: { send: async () => ({ kind: 'unreachable', reason: 'tests' }) },
    vCards,
    calendarFiles,
    xml: xmlReader,
    assistants: modelContextProtocol,
    peerAddress: () => '127.0.0.1',
    assets: swaggerUiAssets,
    client: webAssets,
    readiness: createReadiness(db, () => false),
  })
  return (request: Request): Promise<Response> => {
    clock.advance({ seconds: 1 })
    return app.fetch(request)
  }
}
