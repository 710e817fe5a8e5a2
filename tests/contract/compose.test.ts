import { expect, test } from 'bun:test'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { Environment, loadConfig } from '../../src/config'
import { dockerfile } from '../support/dockerfile'
import { TEST_HOST } from '../support/harness'
import { documentText, fileText } from '../support/readme'

const Texts = Type.Record(Type.String(), Type.String())
const Service = Type.Object({
  build: Type.Optional(Type.String()),
  depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.String() }))),
  environment: Type.Optional(Texts),
  healthcheck: Type.Optional(Type.Object({ test: Type.Array(Type.String()) })),
  networks: Type.Union([
    Type.Array(Type.String()),
    Type.Object({ web: Type.Object({ ipv4_address: Type.String() }) }),
  ]),
  ports: Type.Optional(Type.Array(Type.String())),
  volumes: Type.Optional(Type.Array(Type.String())),
})
type Service = Static<typeof Service>

/** What the tests look at. A number or a boolean in `environment` does not pass: Compose wants text. */
const Compose = Type.Object({
  services: Type.Object({ db: Service, organiser: Service, proxy: Service }),
  networks: Type.Object({
    web: Type.Object({ ipam: Type.Object({ config: Type.Tuple([Type.Object({ subnet: Type.String() })]) }) }),
  }),
  volumes: Type.Record(Type.String(), Type.Unknown()),
})

/** What the deployment guide tells people to write into `.env`, with bytes that make every character of base64 likely. */
const DOT_ENV: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: Buffer.alloc(24, 0xfb).toString('hex'),
  SECRET_KEYS: `k1:${Buffer.alloc(47, 0xfb).toString('base64')}`,
  PUBLIC_URL: 'http://localhost:8080',
}

async function compose(): Promise<Static<typeof Compose>> {
  const block: unknown = Bun.YAML.parse(await fileText('src/deploy/compose.yaml'))
  Value.Assert(Compose, block)
  return block
}

/** Fills in `${NAME:?message}` and `${NAME:-default}`, as Compose does. */
const interpolate = (text: string, env: Readonly<Record<string, string>>) =>
  text.replaceAll(/\$\{([A-Z_]+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = env[name] ?? (kind === '-' ? rest : undefined)
    if (value === undefined) throw new Error(`${name}: ${rest}`)
    return value
  })

const environmentOf = (service: Service, env = DOT_ENV) =>
  Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(value, env)]),
  )

test('the service is given only variables that it knows, with values that it accepts', async () => {
  const { organiser } = (await compose()).services
  const environment = environmentOf(organiser)
  const known = Object.keys(Environment.properties)
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
  const config = loadConfig({ ...(await dockerfile()).env, ...environment }, TEST_HOST)
  expect(config.http).toMatchObject({ publicUrl: 'http://localhost:8080', authRateLimit: true })
  expect(config.secretKeys).toEqual([{ id: 'k1', secret: DOT_ENV['SECRET_KEYS']?.slice(3) ?? '' }])
})

test('compose.yaml needs no other variable than those that the deployment guide puts into .env', async () => {
  const text = await fileText('src/deploy/compose.yaml')
  const used = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]))
  expect(used).toEqual(new Set(Object.keys(DOT_ENV)))
  for (const name of used) expect(await documentText('deployment')).toMatch(new RegExp(`^${name}=`, 'm'))
  expect(() => interpolate(text, {})).toThrow('see .env')
})

test('a new key in front of the old one is accepted, as rotating it says', () => {
  const secret = Buffer.alloc(48, 0xbf).toString('base64')
  const { secretKeys } = loadConfig(
    { DATABASE_URL: 'postgres://db', SECRET_KEYS: `k2:${secret},${DOT_ENV['SECRET_KEYS']}` },
    TEST_HOST,
  )
  expect(secretKeys.map(({ id }) => id)).toEqual(['k2', 'k1'])
})

test('the service reaches the database that the block sets up', async () => {
  const { services, volumes } = await compose()
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '', POSTGRES_DB = '' } = environmentOf(services.db)
  expect(environmentOf(services.organiser)['DATABASE_URL']).toBe(
    `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@db:5432/${POSTGRES_DB}`,
  )
  expect(services.db.volumes).toEqual(Object.keys(volumes).map((name) => `${name}:/var/lib/postgresql`))
  expect(services.organiser.networks).toContain('database')
  expect(services.db.networks).toEqual(['database'])
})

test('each part starts once the one before it is healthy', async () => {
  const { db, organiser, proxy } = (await compose()).services
  expect(db.healthcheck?.test[0]).toBe('CMD')
  expect(organiser.build).toBe('../..')
  expect((await dockerfile()).healthcheck).not.toBeEmpty()
  expect(organiser.depends_on).toMatchObject({ db: { condition: 'service_healthy' } })
  expect(proxy.depends_on).toMatchObject({ organiser: { condition: 'service_healthy' } })
})

test('nginx finds the service, and the service believes nginx alone', async () => {
  const { services, networks } = await compose()
  const nginx = await fileText('src/deploy/nginx.conf')
  const { port } = await dockerfile()
  expect(nginx).toContain(`server organiser:${port} `)
  expect(services.proxy.volumes).toEqual(['./nginx.conf:/etc/nginx/nginx.conf:ro'])
  const [published = ''] = services.proxy.ports ?? []
  expect(nginx).toContain(`listen ${published.split(':')[1]};`)
  expect(new URL(DOT_ENV['PUBLIC_URL'] ?? '').port).toBe(published.split(':')[0] ?? '')
  expect(services.organiser.ports).toBeUndefined()

  const address = Array.isArray(services.proxy.networks) ? '' : services.proxy.networks.web.ipv4_address
  expect(environmentOf(services.organiser)['TRUSTED_PROXIES']).toBe(`${address}/32`)
  expect(ipRanges.contains([networks.web.ipam.config[0].subnet], address)).toBe(true)
})
