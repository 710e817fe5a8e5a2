import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'

const SRC = join(import.meta.dir, '../src')

const ELYSIA = ['npm:elysia', 'npm:@elysiajs/*'] as const

/** First match wins. `may` lists the layers and packages that a file of the layer may import. */
const LAYERS = [
  // Wire schemas are TypeBox: the building blocks of every model live in the one pure place that all models reach.
  { layer: 'lib', files: /^lib\/(schema|schema-problems|page)\.ts$/, may: ['lib', 'npm:@sinclair/typebox'] },
  { layer: 'lib', files: /^lib\//, may: ['lib'] },
  { layer: 'rules', files: /^features\/[^/]+\/rules(\.[\w-]+)?\.ts$/, may: ['lib', 'rules'] },
  {
    layer: 'model',
    files: /^features\/[^/]+\/model\.ts$/,
    may: ['lib', 'rules', 'model', 'npm:elysia', 'npm:@sinclair/typebox'],
  },
  {
    layer: 'queries',
    files: /^features\/[^/]+\/queries\.ts$/,
    may: ['db', 'schema', 'rules', 'lib', 'npm:drizzle-orm'],
  },
  {
    layer: 'service',
    files: /^features\/[^/]+\/service\.ts$/,
    may: ['service', 'queries', 'rules', 'model', 'deps', 'db', 'schema', 'lib'],
  },
  {
    layer: 'routes',
    files: /^features\/[^/]+\/routes\.ts$/,
    may: ['model', 'service', 'http', 'deps', 'lib', 'npm:elysia'],
  },
  { layer: 'schema', files: /^db\/schema\//, may: ['schema', 'npm:drizzle-orm'] },
  { layer: 'db', files: /^db\//, may: ['db', 'schema', 'lib', 'json', 'npm:drizzle-orm', 'npm:postgres'] },
  {
    layer: 'http',
    files: /^http\//,
    may: ['http', 'service', 'model', 'deps', 'lib', 'json', ...ELYSIA],
  },
  { layer: 'jobs', files: /^jobs\/cron\.ts$/, may: ['jobs', 'npm:elysia', 'npm:@elysiajs/cron'] },
  { layer: 'jobs', files: /^jobs\//, may: ['jobs', 'service', 'deps', 'db', 'lib'] },
  { layer: 'adapters', files: /^adapters\//, may: ['adapters', 'lib', 'npm:*'] },
  { layer: 'deps', files: /^(deps|config)\.ts$/, may: ['deps', 'db', 'lib', 'npm:typebox'] },
  { layer: 'app', files: /^app\.ts$/, may: ['routes', 'http', 'deps', ...ELYSIA] },
  { layer: 'entry', files: /^(main|start|migrate|admin|command|backup|restore)\.ts$/, may: ['*'] },
] as const satisfies ReadonlyArray<{ layer: string; files: RegExp; may: readonly string[] }>

const FEATURE_FILES = /^features\/[^/]+\/(routes|model|service|queries|rules(\.[\w-]+)?)\.ts$/

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
  return (await Bun.file(join(SRC, `${base}.ts`)).exists()) ? `${base}.ts` : join(base, 'index.ts')
}

const files = [...new Bun.Glob('**/*.ts').scanSync(SRC)].toSorted()
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

  test('a feature has only the files that features have', () => {
    expect(files.filter((file) => file.startsWith('features/') && !FEATURE_FILES.test(file))).toEqual([])
  })

  test('layers import only what they may', () => {
    const wrong = edges.filter(({ from, to }) => {
      const target = to.startsWith('npm:') ? to : (layerOf(to)?.layer ?? to)
      return !permits(layerOf(from)?.may ?? [], target)
    })
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('a feature reaches another only through its service, model or rules', () => {
    const feature = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1]
    const wrong = edges.filter(({ from, to }) => {
      const [here, there] = [feature(from), feature(to)]
      if (here === undefined || there === undefined || here === there) return false
      return !/\/(service|model|rules(\.[\w-]+)?)\.ts$/.test(to) || from.endsWith('/routes.ts')
    })
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
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
  const ENTRIES = /^(main|start|migrate|admin|command|backup|restore)\.ts$/

  test('entries and adapters know the runtime', () => {
    const runtime =
      /\bBun\b|['"](?:bun|node):?|\bprocess\.|\bBuffer\b|import\.meta\.(?:dir|path|main|resolve)/
    expect(mentions(runtime, /^(adapters\/|(main|start|migrate|admin|command|backup|restore)\.ts$)/)).toEqual(
      [],
    )
  })

  // Waiting for a server to start or stop is measured where it is done.
  const DATABASE_SERVER = 'embedded-postgres(\\.[a-z]+)?'
  const adapter = (...names: string[]) => new RegExp(`^adapters/(${names.join('|')})\\.ts$`)

  test('the clock adapter reads the time, and entries the zone', () => {
    const clock = adapter('clock', DATABASE_SERVER)
    expect(mentions(/new Date\(\)|Date\.now\(|performance\.now\(/, clock)).toEqual([])
    expect(mentions(/Temporal\.Now/, ENTRIES)).toEqual([])
  })

  test('the random adapter draws', () => {
    const random = adapter('random', DATABASE_SERVER)
    expect(mentions(/Math\.random|getRandomValues|randomUUID|randomBytes/, random)).toEqual([])
  })

  test('inTransaction opens a transaction', () => {
    expect(mentions(/\.transaction\(|\.begin\(/, /^db\/transaction\.ts$/)).toEqual([])
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
