import { MIGRATIONS } from '../../src/adapters/migrations-folder'
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const sha256 = async (path: string) =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(path).arrayBuffer()).digest('hex')

/** As `sha256sum` writes it. */
const checksums = async () => (await Bun.file(join(MIGRATIONS, 'checksums')).text()).trim().split('\n')

test('no migration has changed since it was added', async () => {
  const files = [...new Bun.Glob('*.sql').scanSync(MIGRATIONS)].toSorted()
  const actual = await Promise.all(
    files.map(async (file) => `${await sha256(join(MIGRATIONS, file))}  ${file}`),
  )
  expect(actual).toEqual(await checksums())
})
