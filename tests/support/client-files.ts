import { expect } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { WEB_CLIENT } from '../../src/adapters/web-assets'

const ASSETS = join(WEB_CLIENT, 'assets')

/** Whether an address is that of the built file which exports something. */
export async function isFileOf(exported: string): Promise<(address: URL) => boolean> {
  const names: string[] = []
  for (const name of await readdir(ASSETS))
    if (
      name.endsWith('.js') &&
      new RegExp(`as ${exported}[,}]`).test(await readFile(join(ASSETS, name), 'utf8'))
    )
      names.push(name)
  expect(names).not.toEqual([])
  return ({ pathname }) => names.includes(basename(pathname))
}
