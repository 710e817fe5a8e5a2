import { link, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../lib/ports/random'
import type { SecretKey } from '../lib/ports/secrets'

const SECRET_BYTES = 48

const keyFile = (dataDir: string) => join(dataDir, 'secret-key')

/** The key stored in `<dataDir>/secret-key`; undefined when there is none. */
export async function findSecretKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(keyFile(dataDir), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  return text?.trim()
}

/** Stores a key; fails if there is one already. */
export const placeSecretKey = (dataDir: string, secret: string): Promise<void> =>
  writeFile(keyFile(dataDir), secret, { mode: 0o600, flush: true, flag: 'wx' })

export const removeSecretKey = (dataDir: string): Promise<void> => rm(keyFile(dataDir))

/**
 * Returns the signing key of a service without a configured one. The key is generated once and stored in `<dataDir>/secret-key`,
 * readable by its owner only. Concurrent processes all get the same key.
 */
export async function keepSecretKey(dataDir: string, random: Random): Promise<SecretKey> {
  const path = keyFile(dataDir)
  const draft = `${path}.${random.bytes(8).toHex()}`
  await writeFile(draft, random.bytes(SECRET_BYTES).toBase64(), { mode: 0o600, flush: true })
  try {
    // A link, unlike a rename, never replaces an existing key.
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < 32)
    throw new Error(
      `${path} does not hold a key; restore it, or delete it: that signs everybody out and loses push tokens`,
    )
  return { id: 'embedded', secret }
}
