import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import {
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
  verifySignature,
} from '@simplewebauthn/server/helpers'
import type { ClientData, WebAuthn } from '../lib/ports/webauthn'

interface RelyingParty {
  readonly rpId: string
  readonly origins: readonly string[]
}

export function createWebAuthn({ rpId, origins }: RelyingParty): WebAuthn {
  const expected = { expectedRPID: rpId, expectedOrigin: [...origins], requireUserVerification: true }
  const verifyRegistration: WebAuthn['verifyRegistration'] = async ({
    credential,
    challenge,
    algorithms,
  }) => {
    if (!isUnattested(credential.response.attestationObject)) return undefined
    const { registrationInfo: info } = await verifyRegistrationResponse({
      ...expected,
      expectedChallenge: challenge,
      supportedAlgorithmIDs: [...algorithms],
      response: { ...credential, clientExtensionResults: {} },
    })
    // The library checks only the id within the signed data, not the one beside it.
    if (info?.credential.id !== credential.id) return undefined
    const { publicKey, counter } = info.credential
    await refuseUnusableKey(publicKey)
    return { credentialId: credential.id, publicKey, ...stateOf(info, counter) }
  }
  const verifyAssertion: WebAuthn['verifyAssertion'] = async ({ credential, challenge, publicKey }) => {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      ...expected,
      expectedChallenge: challenge,
      response: { ...credential, clientExtensionResults: {} },
      // The library checks the count before the signature, so a forged count would look like a copied authenticator.
      credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified ? stateOf(info, info.newCounter) : undefined
  }
  return {
    readClientData,
    verifyRegistration: (ceremony) => unlessRefused(() => verifyRegistration(ceremony)),
    verifyAssertion: (ceremony) => unlessRefused(() => verifyAssertion(ceremony)),
  }
}

interface Backup {
  readonly credentialDeviceType: 'singleDevice' | 'multiDevice'
  readonly credentialBackedUp: boolean
}

const stateOf = ({ credentialDeviceType, credentialBackedUp }: Backup, signCount: number) => ({
  signCount,
  deviceType: credentialDeviceType,
  isBackedUp: credentialBackedUp,
})

/** The library throws for every problem, with messages that repeat the client's input. */
async function unlessRefused<T>(verify: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

function readClientData(clientDataJSON: string): ClientData | undefined {
  try {
    const { challenge, crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON)
    if (typeof challenge !== 'string') return undefined
    return { challenge, isCrossOrigin: Boolean(crossOrigin) || topOrigin !== undefined }
  } catch {
    return undefined
  }
}

/**
 * Accepts no attestation, or a self-attestation by the credential's own key, which browsers pass on even if none was requested.
 * With certificates, the library would fetch revocation lists from hosts that the client names.
 */
function isUnattested(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** A well-formed ECDSA signature (r = s = 1) that no key has made. */
const NO_SIGNATURE = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1)

/** Without attestation the key has not been used yet. A key that cannot verify signatures would lock its owner out. @throws */
async function refuseUnusableKey(credentialPublicKey: Uint8Array<ArrayBuffer>): Promise<void> {
  await verifySignature({ signature: NO_SIGNATURE, data: NO_SIGNATURE, credentialPublicKey })
}
