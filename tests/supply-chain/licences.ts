import { readPackages } from './packages'

/**
 * `bun run licences`: the packages that are shipped, with their licences, by licence. Each must be one under which the service
 * may be given on under its own, MIT. MPL-2.0 asks for the source of its own files alone, which are unchanged.
 */
export const COMPATIBLE: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
]

/** The packages that reach somebody with the service, the web client or the embedded database, with what they say of themselves. */
export async function shippedLicences() {
  const packages = await readPackages()
  return packages
    .filter(({ use, manifest }) => use !== 'development' && manifest !== undefined)
    .map(({ name, version, use, manifest }) => ({ name, version, use, licence: manifest?.license }))
}

if (import.meta.main) {
  const rows = (await shippedLicences()).toSorted(
    (a, b) => String(a.licence).localeCompare(String(b.licence)) || a.name.localeCompare(b.name),
  )
  for (const { licence, name, version, use } of rows)
    console.log([String(licence).padEnd(14), use.padEnd(9), `${name} ${version}`].join(' '))
}
