import { isWithin, type Mutant } from './mutants'
import type { Worker } from './pool'
import type { Survey, Test } from './survey'

export type Verdict =
  | { readonly mutant: Mutant; readonly is: 'killed' | 'timed out'; readonly by: string }
  | { readonly mutant: Mutant; readonly is: 'survived'; readonly tried: number; readonly untried: number }

/** A test that failed under a mutant; the mutant is killed where the test passes without it. */
export interface Kill {
  readonly mutant: Mutant
  readonly is: 'to be confirmed'
  readonly killer: Test
  readonly message: string
}

/** What the tests of one mutant may take together, by what they and their files took without it. */
const BUDGET_MS = 20_000
const LEAST_PATIENCE_MS = 10_000
/** How many times as often as without it a mutant may be passed before it counts as endless. */
const HIT_FACTOR = 100
const LEAST_HITS = 10_000
/** Of the tests of a file, the quick ones do not wait for these. */
const SLOW_MS = 1_000
/** Below this it does not matter how quick a test is. */
const LEAST_COST_MS = 100

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

/** How near a place is to a mutant of the same file: 1 on the same line. */
const nearness = (one: Mutant, other: Mutant) => 1 / (1 + Math.abs(one.start.line - other.start.line))

/** How much a test is about the place of a mutant: it passes what few other tests pass there. */
function expertise({ tests }: Survey, mutants: readonly Mutant[]) {
  const passing = new Map(
    mutants.map(({ id }) => [id, tests.filter(({ reached }) => reached.has(id)).length] as const),
  )
  const inFile = Map.groupBy(mutants, ({ file }) => file)
  return (mutant: Mutant, { reached }: Test): number => {
    let sum = 0
    for (const other of inFile.get(mutant.file) ?? [])
      if (reached.has(other.id)) sum += nearness(mutant, other) / (passing.get(other.id) ?? 1)
    return sum
  }
}

/** Holds tests against mutants, those first that for their time have killed most near them, or are most about their place. */
export class Judge {
  readonly #survey: Survey
  readonly #guards
  readonly #expertise
  readonly #kills = new Map<Test, Mutant[]>()
  /** Tests that once failed without a mutant, after one. */
  readonly #unfit = new Set<Test>()

  constructor(survey: Survey, mutants: readonly Mutant[]) {
    this.#survey = survey
    this.#guards = guards(survey, mutants)
    this.#expertise = expertise(survey, mutants)
  }

  get unfit(): readonly Test[] {
    return [...this.#unfit]
  }

  /** Whether a mutant acts while modules load. */
  isLoading = ({ id }: Mutant): boolean => this.#survey.loading.has(id)

  async judge(mutant: Mutant, worker: Restarting): Promise<Verdict | Kill> {
    const { tests, untried } = this.#plan(mutant)
    if (tests.length === 0) return { mutant, is: 'survived', tried: 0, untried }
    let outcome = await this.#held(mutant, tests, worker)
    // Once may be the machine's doing, or an earlier mutant's: the second time is in another process.
    if (typeof outcome === 'string') outcome = await this.#held(mutant, tests, worker)
    if (typeof outcome === 'string') return { mutant, ...OVER[outcome] }
    const { failed } = outcome
    if (!failed) return { mutant, is: 'survived', tried: tests.length, untried }
    const killer = tests.find(({ file, place }) => file === failed.file && place === failed.test)
    if (!killer) return { mutant, is: 'killed', by: failed.message }
    this.#kills.set(killer, [...(this.#kills.get(killer) ?? []), mutant])
    return { mutant, is: 'to be confirmed', killer, message: failed.message }
  }

  /** A kill counts only where the same test passes again without a mutant; those of several are tried together. */
  async confirmed(kills: readonly Kill[], worker: Restarting): Promise<readonly Verdict[]> {
    if (kills.length === 0) return []
    const outcome = await this.#ask(worker.current(), undefined, [
      ...new Set(kills.map(({ killer }) => killer)),
    ])
    if (typeof outcome !== 'string' && !outcome.failed) return kills.map(killed)
    if (typeof outcome === 'string') worker.restart()
    const verdicts: Verdict[] = []
    for (const kill of kills) verdicts.push(await this.#confirmed(kill, worker))
    return verdicts
  }

  /** Where the test passes only in a new process, an earlier mutant may have left something behind: it is judged again there. */
  async #confirmed(kill: Kill, worker: Restarting, isSecondTime = false): Promise<Verdict> {
    const passes = await this.#passesAgain(kill.killer, worker)
    const wantsNewProcess = passes === 'in a new process'
    if (passes === 'at once' || (wantsNewProcess && isSecondTime)) return killed(kill)
    if (passes === 'never') this.#unfit.add(kill.killer)
    // What the test leaves behind for itself, such as a server that is closed, is no kill either.
    if (wantsNewProcess) await worker.replace()
    const again = await this.judge(kill.mutant, worker)
    return again.is === 'to be confirmed' ? this.#confirmed(again, worker, wantsNewProcess) : again
  }

  /** In a process that goes on, and then, where the mutant may have to be there from the start, in one of its own. */
  async #held(mutant: Mutant, tests: readonly Test[], worker: Restarting) {
    const isLoading = this.isLoading(mutant)
    if (!isLoading || tests.some(({ reached }) => reached.has(mutant.id))) {
      const outcome = await this.#ask(worker.current(), mutant, tests)
      if (typeof outcome === 'string') worker.restart()
      if (!isLoading || typeof outcome === 'string' || outcome.failed) return outcome
    }
    const own = worker.another()
    const outcome = await this.#ask(own, mutant, tests)
    await own.end()
    return outcome
  }

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
    const able = this.#guards(mutant)
      .filter((test) => !this.#unfit.has(test))
      .map((test) => {
        const kills = (this.#kills.get(test) ?? [])
          .filter(({ file }) => file === mutant.file)
          .reduce((sum, other) => sum + nearness(mutant, other), 0)
        return { test, worth: (kills + this.#expertise(mutant, test)) / (test.ms + LEAST_COST_MS) }
      })
      .toSorted((a, b) => b.worth - a.worth)
      .map(({ test }) => test)
    let ms = 0
    const started = new Set<string>()
    const tests = able.filter((test, index) => {
      const cost = test.ms + (started.has(test.file) ? 0 : test.aroundMs)
      if (ms + cost > BUDGET_MS && index > 0) return false
      ms += cost
      started.add(test.file)
      return true
    })
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
      LEAST_PATIENCE_MS + 10 * Math.max(...tests.map(({ ms, aroundMs }) => ms + aroundMs)),
    )
  }
}

const killed = ({ mutant, killer, message }: Kill): Verdict => ({
  mutant,
  is: message.includes('Hit count limit') ? 'timed out' : 'killed',
  by: `${killer.file}: ${killer.title}`,
})

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
