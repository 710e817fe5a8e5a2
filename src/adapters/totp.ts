import { Secret, TOTP } from 'otpauth'
import type { Random } from '../lib/ports/random'
import type { Totp } from '../lib/ports/totp'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const FORMAT = { issuer: 'Organiser', algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS }
/** How many steps before and after the current one are accepted. */
const WINDOW = 1

/** RFC 6238 with our parameters (contract: totp.parameters). */
export const createTotp = (random: Random): Totp => ({
  newSecret: () => new Secret({ buffer: new Uint8Array(random.bytes(SECRET_BYTES)).buffer }).base32,
  uri: (secret, label) => new TOTP({ ...FORMAT, label, secret }).toString(),
  stepOf: (secret, code, at) => {
    if (!/^\d{6}$/.test(code)) return undefined
    const delta = new TOTP({ ...FORMAT, secret }).validate({
      token: code,
      timestamp: at.getTime(),
      window: WINDOW,
    })
    return delta === null ? undefined : Math.floor(at.getTime() / 1000 / PERIOD_SECONDS) + delta
  },
})
