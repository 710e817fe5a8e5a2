import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random, SecretKey } from '../lib/ports'

const SECRET_BYTES = 48

/**
 * The signing key of a service that was given none: made once and kept in `<dataDir>/secret-key`, readable by its owner
 * only. Any number of processes may ask at once; all get the same key.
 */
export async function keepSecretKey(dataDir: string, random: Random): Promise<SecretKey> {
  const path = join(dataDir, 'secret-key')
  const draft = `${path}.${random.bytes(8).toHex()}`
  await writeFile(draft, random.bytes(SECRET_BYTES).toBase64(), { mode: 0o600, flush: true })
  try {
    // Unlike a rename, a link never replaces a key that is there already.
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
