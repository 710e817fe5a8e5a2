import type { BrowserContext, Page } from 'playwright-core'

/**
 * An authenticator in the browser of a page, whose user agrees to everything (Web Authentication Level 3, section 11). A browser
 * has one that is `internal`; a second one is plugged in.
 */
export async function addAuthenticator(
  context: BrowserContext,
  page: Page,
  transport: 'internal' | 'usb' = 'internal',
) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the user touches it when asked; without, a request waits. */
    answers: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Whether the user passes its own check, such as a fingerprint. */
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** Registers a passkey of the user who is signed in on the page, by the service's ceremony. */
export const registerPasskey = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const post = async (path: string, body?: object) => {
      const response = await fetch(`/api/auth/passkeys/register/${path}`, {
        method: 'POST',
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      return response.json()
    }
    const { options } = await post('begin')
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    await post('complete', { credential: credential.toJSON() })
  })
