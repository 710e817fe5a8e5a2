import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'

const SRC = join(import.meta.dir, '../src')

const ELYSIA = ['npm:elysia', 'npm:@elysiajs/*'] as const

/** First match wins. `may` lists the layers and packages that a file of the layer may import. */
const LAYERS = [
  // Wire schemas are TypeBox: the building blocks of every model live in the one pure place that all models reach.
  {
    layer: 'lib',
    files: /^lib\/wire\/(schema|schema-kinds|schema-problems|schema-reading|page)\.ts$/,
    may: ['lib', 'npm:@sinclair/typebox'],
  },
  { layer: 'lib', files: /^lib\//, may: ['lib'] },
  {
    layer: 'rules',
    files: /^(access|features\/[^/]+)\/[^/]+\/rules(\.[\w-]+)?\.ts$/,
    may: ['lib', 'rules'],
  },
  {
    layer: 'model',
    files: /^features\/[^/]+\/[^/]+\/model\.ts$/,
    may: ['lib', 'rules', 'model', 'npm:elysia', 'npm:@sinclair/typebox'],
  },
  {
    layer: 'queries',
    files: /^(access|features\/[^/]+)\/[^/]+\/queries(\.[\w-]+)?\.ts$/,
    may: ['queries', 'db', 'schema', 'rules', 'lib', 'npm:drizzle-orm'],
  },
  {
    layer: 'access',
    files: /^access\/[^/]+\/service(\.[\w-]+)?\.ts$/,
    may: ['access', 'queries', 'rules', 'deps', 'db', 'schema', 'lib'],
  },
  {
    layer: 'service',
    files: /^features\/[^/]+\/[^/]+\/service(\.[\w-]+)?\.ts$/,
    may: ['service', 'access', 'queries', 'rules', 'model', 'deps', 'db', 'schema', 'lib'],
  },
  {
    layer: 'routes',
    files: /^features\/[^/]+\/[^/]+\/routes\.ts$/,
    may: ['model', 'service', 'http', 'deps', 'lib', 'npm:elysia'],
  },
  { layer: 'schema', files: /^db\/schema\//, may: ['schema', 'npm:drizzle-orm'] },
  { layer: 'db', files: /^db\//, may: ['db', 'schema', 'lib', 'json', 'npm:drizzle-orm', 'npm:postgres'] },
  { layer: 'http', files: /^http\//, may: ['http', 'access', 'deps', 'lib', 'json', ...ELYSIA] },
  {
    layer: 'dav',
    files: /^dav\//,
    may: ['dav', 'service', 'rules', 'model', 'access', 'http', 'deps', 'lib'],
  },
  // Their arguments have schemas, as bodies of requests do.
  {
    layer: 'mcp',
    files: /^mcp\//,
    may: [
      'mcp',
      'service',
      'rules',
      'model',
      'access',
      'http',
      'deps',
      'lib',
      'json',
      'npm:@sinclair/typebox',
    ],
  },
  { layer: 'jobs', files: /^jobs\/cron\.ts$/, may: ['jobs', 'npm:elysia', 'npm:@elysiajs/cron'] },
  { layer: 'jobs', files: /^jobs\//, may: ['jobs', 'service', 'access', 'deps', 'db', 'lib'] },
  { layer: 'adapters', files: /^adapters\//, may: ['adapters', 'lib', 'npm:*'] },
  { layer: 'deps', files: /^(deps|config)\.ts$/, may: ['deps', 'db', 'lib', 'npm:typebox'] },
  // The client runs in browsers: of the service it knows only the types of wire models, which leave no code behind.
  {
    layer: 'web-build',
    files: /^web\/build(\.ahead|\.licences)?\.ts$/,
    may: ['web-build', 'adapters', 'lib', 'npm:*'],
  },
  { layer: 'web', files: /^web\//, may: ['web', 'model', 'npm:*'] },
  { layer: 'app', files: /^app\.ts$/, may: ['routes', 'dav', 'mcp', 'http', 'deps', ...ELYSIA] },
  { layer: 'entry', files: /^(main\.ts|start\.ts|commands\/[\w-]+\.ts)$/, may: ['*'] },
] as const satisfies ReadonlyArray<{ layer: string; files: RegExp; may: readonly string[] }>

const MODULE = /^(access|features\/[^/]+)\/[^/]+\//
const MODULE_FILES = {
  features: /^features\/[^/]+\/[^/]+\/(routes|model|(service|queries|rules)(\.[\w-]+)?)\.ts$/,
  access: /^access\/[^/]+\/(service|queries|rules)(\.[\w-]+)?\.ts$/,
}

/** The groups of features, each of which may import those before it, and the paths whose routes each holds. */
const GROUPS: ReadonlyArray<readonly [group: string, paths: RegExp]> = [
  ['events', /^\/api\/(events|event-invitations|event-templates|free-busy)\b/],
  ['calendars', /^\/api\/(calendars|feeds)\b/],
  ['people', /^\/api\/(people|address-books|connections)\b/],
  ['tasks', /^\/api\/(todos|todo-lists|reminders|projects)\b/],
  ['objects', /^\/dav\b/],
  ['identity', /^\/api\/(auth\b|settings(?!\/ntfy))/],
  ['notifications', /^\/api\/(notifications|settings\/ntfy)\b/],
  ['administration', /^\/api\/admin\b/],
  ['overview', /^\/api\/(batch|changes|dashboard|search|export|weather|operations|trash)\b/],
]

const layerOf = (file: string): { layer: string; may: readonly string[] } | undefined =>
  file.endsWith('.json') ? { layer: 'json', may: [] } : LAYERS.find(({ files }) => files.test(file))

const IMPORT = /(?<![/'"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g

const source = async (file: string) => (await Bun.file(join(SRC, file)).text()).replace(COMMENT, '')

async function resolve(from: string, specifier: string): Promise<string> {
  if (!specifier.startsWith('.') && !specifier.endsWith('.json'))
    return `npm:${/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]}`
  const base = normalize(join(dirname(from), specifier))
  if (base.endsWith('.json')) return base
  for (const ending of ['.ts', '.tsx'])
    if (await Bun.file(join(SRC, base + ending)).exists()) return base + ending
  return join(base, 'index.ts')
}

const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)].toSorted()
const sources = new Map(await Promise.all(files.map(async (file) => [file, await source(file)] as const)))
const edges = (
  await Promise.all(
    [...sources].flatMap(([from, text]) =>
      [...text.matchAll(IMPORT)].map(async ([, specifier = '']) => ({
        from,
        to: await resolve(from, specifier),
      })),
    ),
  )
).flat()

const permits = (may: readonly string[], target: string) =>
  may.some(
    (allowed) =>
      allowed === '*' ||
      allowed === target ||
      (allowed.endsWith('*') && target.startsWith(allowed.slice(0, -1))),
  )

/** The files, but for those whose name matches `except`, whose code matches `pattern`. */
const mentions = (pattern: RegExp, except: RegExp) =>
  [...sources].flatMap(([file, text]) => (!except.test(file) && pattern.test(text) ? [file] : []))

describe('the architecture', () => {
  test('has files and imports to look at', () => {
    expect(files.length).toBeGreaterThan(40)
    expect(edges.length).toBeGreaterThan(100)
  })

  test('every file belongs to a layer', () => {
    expect(files.filter((file) => !layerOf(file))).toEqual([])
  })

  test('a module has only the files that modules have', () => {
    const { access, features } = MODULE_FILES
    const inModules = files.filter((file) => /^(access|features)\//.test(file))
    expect(inModules.filter((file) => !access.test(file) && !features.test(file))).toEqual([])
  })

  test('layers import only what they may', () => {
    const wrong = edges.filter(({ from, to }) => {
      const target = to.startsWith('npm:') ? to : (layerOf(to)?.layer ?? to)
      return !permits(layerOf(from)?.may ?? [], target)
    })
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('the web client takes only types from the wire models', () => {
    const taken = [...sources].flatMap(([file, text]) =>
      file.startsWith('web/')
        ? [...text.matchAll(/^import (?!type\b).*features\/.*$/gm)].map(([line]) => [file, line])
        : [],
    )
    expect(taken).toEqual([])
  })

  test('a module reaches another only through its service, model or rules', () => {
    const module = (file: string) => MODULE.exec(file)?.[0]
    const wrong = edges.filter(({ from, to }) => {
      const [here, there] = [module(from), module(to)]
      if (here === undefined || there === undefined || here === there) return false
      return !/\/(model|(service|rules)(\.[\w-]+)?)\.ts$/.test(to) || from.endsWith('/routes.ts')
    })
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('a group of features imports only itself and the groups before it', () => {
    const place = (file: string) => {
      const group = /^features\/([^/]+)\//.exec(file)?.[1]
      return group === undefined ? -1 : GROUPS.findIndex(([name]) => name === group)
    }
    const groups = files.flatMap((file) => /^features\/([^/]+)\//.exec(file)?.[1] ?? [])
    expect([...new Set(groups)].toSorted()).toEqual(GROUPS.map(([name]) => name).toSorted())
    const wrong = edges.filter(({ from, to }) => place(from) >= 0 && place(to) > place(from))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('the path of a route tells the group that holds it', () => {
    const routes = files.flatMap((file) => {
      const group = /^features\/([^/]+)\/[^/]+\/routes\.ts$/.exec(file)?.[1]
      const text = sources.get(file) ?? ''
      const prefix = /prefix: '([^']*)'/.exec(text)?.[1] ?? ''
      const paths = [...text.matchAll(/\.(?:get|post|put|delete)\(\s*'([^']*)'/g)].map(
        ([, path]) => prefix + path,
      )
      return group === undefined ? [] : paths.map((path) => ({ group, path }))
    })
    expect(routes.length).toBeGreaterThan(100)
    const groupOf = (path: string) => GROUPS.find(([, paths]) => paths.test(path))?.[0]
    expect(routes.filter(({ group, path }) => groupOf(path) !== group)).toEqual([])
  })

  // A third needs a name that says more, or is one type to share.
  test('no type name is declared in more than two files', () => {
    const declared = [...sources].flatMap(([file, text]) => {
      const names = text.matchAll(/^\s*(?:export )?(?:interface|type) (\w+)(?=<| =| \{| extends )/gm)
      return [...new Set([...names].map(([, name = '']) => name))].map((name) => ({ name, file }))
    })
    const byName = Map.groupBy(declared, ({ name }) => name)
    expect(byName.size).toBeGreaterThan(500)
    const repeated = [...byName].filter(([, where]) => where.length > 2)
    expect(repeated.map(([name, where]) => [name, ...where.map(({ file }) => file)])).toEqual([])
  })

  test('there are no import cycles', () => {
    const graph = Map.groupBy(
      edges.filter(({ to }) => !to.startsWith('npm:')),
      ({ from }) => from,
    )
    const done = new Set<string>()
    const cycleFrom = (file: string, path: string[]): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const { to } of graph.get(file) ?? []) {
        const cycle = cycleFrom(to, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    expect(files.map((file) => cycleFrom(file, [])).filter(Boolean)).toEqual([])
  })
})

describe('only', () => {
  test('entries and adapters know the runtime', () => {
    const runtime =
      /\bBun\b|['"](?:bun|node):?|\bprocess\.|\bBuffer\b|import\.meta\.(?:dir|path|main|resolve)/
    expect(
      mentions(runtime, /^(adapters\/|commands\/|(main|start|web\/build(\.ahead|\.licences)?)\.ts$)/),
    ).toEqual([])
  })

  // Waiting for a server to start or stop is measured where it is done.
  const DATABASE_SERVER = 'embedded-postgres(\\.[a-z]+)?'
  const adapter = (...names: string[]) => new RegExp(`^adapters/(${names.join('|')})\\.ts$`)

  test('the clock adapter reads the time, entries the zone, and the web client both in one place', () => {
    const clock = adapter('clock', DATABASE_SERVER)
    expect(mentions(/new Date\(\)|Date\.now\(|performance\.now\(/, clock)).toEqual([])
    expect(mentions(/Temporal\.Now/, /^((main|start|web\/time\/now)\.ts|commands\/)/)).toEqual([])
  })

  test('the random adapter draws, and one place of the web client', () => {
    const random = new RegExp(`^adapters/(random|${DATABASE_SERVER})\\.ts$|^web/api/random\\.ts$`)
    expect(mentions(/Math\.random|getRandomValues|randomUUID|randomBytes/, random)).toEqual([])
  })

  test('inTransaction opens a transaction', () => {
    // The client's copy on a device has transactions of its own, those of IndexedDB.
    const own = /^db\/transaction\.ts$|^web\/store\/device-copy\.ts$/
    expect(mentions(/\.transaction\(|\.begin\(/, own)).toEqual([])
  })

  // A connection goes to its next holder as it is, and a pooler hands it to anybody.
  test('migrations, and copies of the whole database, leave state in a session of the database', () => {
    const state =
      /\bpg_(?:try_)?advisory_lock|['"`;]\s*set (?!local\b)(?:session\b|[a-z_.]+ *(?:=|to\b))|set_config\([^()]*false\)|\bcreate temp|\bwith hold\b/
    expect(mentions(state, /^db\/(migrations|snapshot)\.ts$/)).toEqual([])
  })

  test('session-cookie.ts writes cookies', () => {
    expect(mentions(/\bsetCookie\(|set-cookie/i, /^http\/session-cookie\.ts$/)).toEqual([])
  })

  test('a Drizzle statement with a condition touches rows: there is no empty one', () => {
    expect(mentions(/\.where\((?:undefined)?\)|\band\(\)/, /^$/)).toEqual([])
  })
})

describe('a reference to the contract', () => {
  const ROOT = join(import.meta.dir, '..')
  const REFERENCE = /\bcontract: ([a-z-]+\.[a-z-]+)/g

  const contract = async () => await Bun.file(join(SRC, 'contract.md')).text()
  const rules = async () => [...(await contract()).matchAll(/^### (\S+)$/gm)].map(([, name]) => name)
  const references = async () => {
    const texts = [...new Bun.Glob('{src,tests,drizzle}/**/*.{ts,tsx,sql}').scanSync(ROOT)].filter(
      (file) => !file.includes('node_modules'),
    )
    const found = await Promise.all(
      texts.map(async (file) => {
        const text = await Bun.file(join(ROOT, file)).text()
        return [...text.matchAll(REFERENCE)].map(([, rule]) => ({ file, rule }))
      }),
    )
    return found.flat()
  }

  test('names a rule that stands in src/contract.md', async () => {
    const known = new Set(await rules())
    expect((await references()).filter(({ rule }) => !known.has(rule))).toEqual([])
  })

  test('exists for every rule that stands there', async () => {
    const named = new Set((await references()).map(({ rule }) => rule))
    expect((await rules()).filter((rule) => !named.has(rule))).toEqual([])
  })

  test('has no other form', async () => {
    const texts = await Promise.all(
      files.map(async (file) => [file, await Bun.file(join(SRC, file)).text()] as const),
    )
    const other = /contract,? section|[Ss]pecification,? (?:section )?\d/
    expect(texts.filter(([, text]) => other.test(text)).map(([file]) => file)).toEqual([])
  })
})
