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
