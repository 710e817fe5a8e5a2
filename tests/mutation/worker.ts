import { join } from 'node:path'
import { collect, noteStray, type Suite } from './suite'

/** Runs tests under one mutant after the other, as its parent says. */
const ROOT = join(import.meta.dir, '../..')

/** What one test costs, and which mutants it passes. */
export interface Surveyed {
  readonly title: string
  readonly ms: number
  /** How often it passes each mutant; undefined for a test that fails. */
  readonly reached: Readonly<Record<string, number>> | undefined
}
export type Order =
  | { readonly do: 'survey'; readonly file: string }
  | {
      readonly do: 'run'
      readonly mutant: string | undefined
      readonly hitLimit: number
      /** The tests by their files, and their places in them. */
      readonly tests: ReadonlyArray<readonly [file: string, tests: readonly number[]]>
    }
export type Told =
  | { readonly told: 'ready' | 'begun' }
  | {
      readonly told: 'surveyed'
      readonly tests: readonly Surveyed[]
      /** What the file costs beside its tests. */
      readonly aroundMs: number
      /** The mutants that are passed while modules load. */
      readonly loading: readonly string[]
      readonly trouble: string | undefined
    }
  | { readonly told: 'run'; readonly failed?: { file: string; test: number; message: string } }

/** What the mutated code looks at and counts in. */
interface Switch {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}
const mutation: Switch = { mutantCoverage: { static: {}, perTest: {} } }
Object.assign(globalThis, { ['__stryker__']: mutation })

const tell = (told: Told) => process.send?.(told)
const suites = new Map<string, Promise<Suite>>()

function suiteOf(file: string): Promise<Suite> {
  const known = suites.get(file)
  if (known) return known
  const suite = collect(() => import(join(ROOT, file)))
  suites.set(file, suite)
  return suite
}

async function survey(file: string): Promise<Told> {
  let suite: Suite
  mutation.mutantCoverage.static = {}
  try {
    suite = await suiteOf(file)
  } catch (error) {
    return { told: 'surveyed', tests: [], aroundMs: 0, loading: [], trouble: `${file}: ${String(error)}` }
  }
  const loading = Object.keys(mutation.mutantCoverage.static)
  // What is passed before the first test counts for all of them.
  const around = `${file} hooks`
  mutation.currentTestId = around
  const start = performance.now()
  const started = new Map<number, number>()
  const took = new Map<number, number>()
  const failures = await suite.run(new Set(suite.titles.keys()), {
    until: 'the end',
    begun: (test) => {
      tell({ told: 'begun' })
      mutation.currentTestId = `${file} ${test}`
      started.set(test, performance.now())
    },
    ended: (test) => took.set(test, performance.now() - (started.get(test) ?? 0)),
  })
  const aroundMs = performance.now() - start - [...took.values()].reduce((sum, ms) => sum + ms, 0)
  mutation.currentTestId = undefined
  const { [around]: shared = {}, ...own } = mutation.mutantCoverage.perTest
  mutation.mutantCoverage.perTest = {}
  const tests = suite.titles.map((title, test) => {
    const isWhole = took.has(test) && !failures.some((failure) => failure.test === test)
    return {
      title,
      ms: took.get(test) ?? 0,
      reached: isWhole ? { ...shared, ...own[`${file} ${test}`] } : undefined,
    }
  })
  const [first] = failures
  const trouble = first && `${file}: ${first.message.slice(0, 300)}`
  return { told: 'surveyed', tests, aroundMs, loading, trouble }
}

async function run({ mutant, hitLimit, tests }: Order & { do: 'run' }): Promise<Told> {
  // A mutant that is active from the start stays so.
  if (mutant !== mutation.activeMutant) mutation.activeMutant = mutant
  mutation.hitCount = 0
  mutation.hitLimit = hitLimit
  try {
    for (const [file, places] of tests) {
      const suite = await suiteOf(file)
      const [failure] = await suite.run(new Set(places), {
        until: 'the first failure',
        begun: () => tell({ told: 'begun' }),
      })
      if (failure)
        return { told: 'run', failed: { file, ...failure, message: failure.message.slice(0, 300) } }
    }
    return { told: 'run' }
  } catch (error) {
    const file = tests[0]?.[0] ?? ''
    return {
      told: 'run',
      failed: { file, test: -1, message: `while loading: ${String(error).slice(0, 300)}` },
    }
  } finally {
    mutation.activeMutant = undefined
  }
}

// The matchers that Bun's runner preloads; its hooks belong to no file here.
await collect(() => import(join(ROOT, 'tests/support/preload.ts')))

process.on('unhandledRejection', noteStray)
process.on('uncaughtException', noteStray)
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  void (order.do === 'survey' ? survey(order.file) : run(order)).then(tell)
})
tell({ told: 'ready' })
