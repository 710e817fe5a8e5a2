import { isWithin, type Mutant } from './mutants'
import type { Worker } from './pool'
import type { Survey, Test } from './survey'

export type Verdict =
  | { readonly mutant: Mutant; readonly is: 'killed' | 'timed out'; readonly by: string }
  | { readonly mutant: Mutant; readonly is: 'survived'; readonly tried: number; readonly untried: number }

/** What the tests of one mutant may take together, by what they took without it. */
const BUDGET_MS = 20_000
const LEAST_PATIENCE_MS = 10_000
/** How many times as often as without it a mutant may be passed before it counts as endless. */
const HIT_FACTOR = 100
const LEAST_HITS = 10_000
/** Quick tests come before these, whatever they have killed. */
const SLOW_MS = 1_000

const OVER = {
  silent: { is: 'timed out', by: 'silence' },
  ended: { is: 'killed', by: 'the end of the process' },
} as const

/** Which tests a mutant is held against: those that pass it or, if it acts while modules load, what lies within it. */
function guards({ tests, loading }: Survey, mutants: readonly Mutant[]) {
  const inFile = Map.groupBy(mutants, ({ file }) => file)
  return (mutant: Mutant): readonly Test[] => {
    const passing = (some: readonly Mutant[]) =>
      tests.filter(({ reached }) => some.some(({ id }) => reached.has(id)))
    const beside = inFile.get(mutant.file) ?? []
    const own = passing([mutant, ...beside.filter((other) => isWithin(other, mutant))])
    if (!loading.has(mutant.id) || own.length > 0) return own
    const near = new Set(passing(beside).map(({ file }) => file))
    return near.size > 0 ? tests.filter(({ file }) => near.has(file)) : tests
  }
}

/** Holds tests against mutants, those first that killed most in the same file. */
export class Judge {
  readonly #survey: Survey
  readonly #guards
  readonly #kills = new Map<string, number>()
  /** Tests that once failed without a mutant, after one. */
  readonly #unfit = new Set<Test>()

  constructor(survey: Survey, mutants: readonly Mutant[]) {
    this.#survey = survey
    this.#guards = guards(survey, mutants)
  }

  get unfit(): readonly Test[] {
    return [...this.#unfit]
  }

  /** Whether a mutant acts while modules load. */
  isLoading = ({ id }: Mutant): boolean => this.#survey.loading.has(id)

  async judge(mutant: Mutant, worker: Restarting, isSecondTime = false): Promise<Verdict> {
    const { tests, untried } = this.#plan(mutant)
    if (tests.length === 0) return { mutant, is: 'survived', tried: 0, untried }
    const outcome = await this.#held(mutant, tests, worker)
    if (typeof outcome === 'string') return { mutant, ...OVER[outcome] }
    const { failed } = outcome
    if (!failed) return { mutant, is: 'survived', tried: tests.length, untried }
    const killer = tests.find(({ file, place }) => file === failed.file && place === failed.test)
    if (!killer) return { mutant, is: 'killed', by: failed.message }
    const passes = await this.#passesAgain(killer, worker)
    if (passes === 'never') this.#unfit.add(killer)
    const isCertain = passes === 'at once' || (passes === 'in a new process' && isSecondTime)
    if (!isCertain) return this.judge(mutant, worker, passes === 'in a new process')
    return this.#killed(mutant, killer, failed.message)
  }

  /** In a process that goes on, or in one of its own where the mutant has to be there from the start. */
  async #held(mutant: Mutant, tests: readonly Test[], worker: Restarting) {
    if (this.isLoading(mutant)) {
      const own = worker.another()
      const outcome = await this.#ask(own, mutant, tests)
      await own.end()
      return outcome
    }
    const outcome = await this.#ask(worker.current(), mutant, tests)
    if (typeof outcome === 'string') worker.restart()
    return outcome
  }

  #killed(mutant: Mutant, { file, place, title }: Test, message: string): Verdict {
    const key = `${mutant.file} ${file} ${place}`
    this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1)
    const isEndless = message.includes('Hit count limit')
    return { mutant, is: isEndless ? 'timed out' : 'killed', by: `${file}: ${title}` }
  }

  /**
   * A kill counts only where the same test passes again without the mutant. Where it does so only in a new process, an earlier
   * mutant may have left something behind, and the mutant is judged again there.
   */
  async #passesAgain(test: Test, worker: Restarting) {
    for (const where of ['at once', 'in a new process'] as const) {
      if (where === 'in a new process') await worker.replace()
      const outcome = await this.#ask(worker.current(), undefined, [test])
      if (typeof outcome !== 'string' && !outcome.failed) return where
      if (typeof outcome === 'string') worker.restart()
    }
    return 'never'
  }

  #plan(mutant: Mutant) {
    const kills = ({ file, place }: Test) => this.#kills.get(`${mutant.file} ${file} ${place}`) ?? 0
    const able = this.#guards(mutant)
      .filter((test) => !this.#unfit.has(test))
      .toSorted(
        (a, b) => Number(a.ms > SLOW_MS) - Number(b.ms > SLOW_MS) || kills(b) - kills(a) || a.ms - b.ms,
      )
    let ms = 0
    const tests = able.filter((test, index) => (ms += test.ms) <= BUDGET_MS || index === 0)
    return { tests, untried: able.length - tests.length }
  }

  #ask(worker: Worker, mutant: Mutant | undefined, tests: readonly Test[]) {
    const hits = tests.reduce((sum, { reached }) => sum + (reached.get(mutant?.id ?? '') ?? 0), 0)
    const byFile = Map.groupBy(tests, ({ file, ms }) => `${ms > SLOW_MS ? 'slow' : 'quick'} ${file}`)
    return worker.ask(
      {
        do: 'run',
        mutant: mutant?.id,
        hitLimit: Math.max(LEAST_HITS, hits * HIT_FACTOR),
        tests: [...byFile].map(([key, some]) => [
          key.slice(key.indexOf(' ') + 1),
          some.map(({ place }) => place),
        ]),
      },
      LEAST_PATIENCE_MS + 10 * Math.max(...tests.map(({ ms }) => ms)),
    )
  }
}

/** A worker that is started again when it is over. */
export class Restarting {
  #worker: Worker | undefined

  readonly another: () => Worker

  constructor(start: () => Worker) {
    this.another = start
  }

  current = (): Worker => (this.#worker ??= this.another())
  restart(): void {
    this.#worker = undefined
  }
  async replace(): Promise<void> {
    await this.#worker?.end()
    this.restart()
  }
}
