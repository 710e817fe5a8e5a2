import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sample as sampleOf, shuffledSubarray } from 'fast-check'
import { stopTestServer, testServer } from '../support/database'
import { AREAS, type Area } from './areas'
import { EXPLAINED } from './explained'
import { Judge, type Kill, Restarting, type Verdict } from './judge'
import { type Explained, filesOf, type Mutant, mutantsOf } from './mutants'
import { Worker } from './pool'
import { survey } from './survey'

/**
 * `bun run mutate [AREA…] [FILE…]`: changes the guarded core, one small change at a time, and expects that a test fails for each.
 * `MUTATE_SAMPLE` takes so many of each area, drawn by `MUTATE_SEED`. It fails below the least share that is to be killed, where a
 * survivor has no explanation, and where an explained one does not survive or is gone.
 */
const LEAST_SCORE = 0.85
const CONFIRMED_TOGETHER = 16

const isFile = (name: string) => name.includes('/')
const asked = process.argv.slice(2)
const sample = Number(process.env['MUTATE_SAMPLE'] ?? Infinity)
const seed = Number(process.env['MUTATE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const workers = Number(process.env['MUTATE_WORKERS'] ?? Math.max(2, navigator.hardwareConcurrency))

const [files, names] = [asked.filter(isFile), asked.filter((name) => !isFile(name))]
const areas = AREAS.filter(
  ({ name, mutate }) =>
    (names.length === 0 || names.includes(name)) &&
    (files.length === 0 || filesOf(mutate).some((file) => files.includes(file))),
)
const known = new Set(areas.flatMap(({ name, mutate }) => [name, ...filesOf(mutate)]))
const unknown = asked.filter((name) => !known.has(name))
if (unknown.length > 0) throw new Error(`neither an area nor a file of one: ${unknown.join(' ')}`)

const explains = (mutant: Mutant) => (one: Explained) =>
  one.file === mutant.file &&
  one.line === mutant.line &&
  one.code === mutant.code &&
  one.becomes === mutant.becomes

const shown = ({ file, start, operator, code, becomes, line }: Mutant) =>
  `${file}:${start.line + 1} ${operator}\n      ${code}\n    → ${becomes}${code === line ? '' : `\n    in ${line}`}`

function drawn(mutants: readonly Mutant[]): readonly Mutant[] {
  const wanted = files.length > 0 ? mutants.filter(({ file }) => files.includes(file)) : mutants
  if (wanted.length <= sample) return wanted
  const [some = []] = sampleOf(shuffledSubarray([...wanted], { minLength: sample, maxLength: sample }), {
    seed,
    numRuns: 1,
  })
  return some
}

async function judged({ name, mutate, tests }: Area, folder: string): Promise<readonly Verdict[]> {
  const { code, mutants } = await mutantsOf(filesOf(mutate))
  const served = join(folder, `${name}.json`)
  await Bun.write(served, JSON.stringify(code))
  const start = () => new Worker({ MUTATION_CODE: served, TEST_DATABASE_URL: databaseUrl })
  let verdicts: readonly Verdict[] = []
  let waiting = drawn(mutants)
  console.log(`${name}: ${mutants.length} mutants, ${waiting.length} of them drawn`)
  for (const patterns of tests) {
    if (waiting.length === 0) break
    const found = await survey(filesOf(patterns), Array<() => Worker>(workers).fill(start))
    for (const line of found.trouble) console.log(`  not used: ${line}`)
    const judge = new Judge(found, mutants)
    const isLoading = waiting.filter(judge.isLoading).length
    console.log(
      `  ${found.tests.length} tests for ${waiting.length} mutants, ${isLoading} of which act while modules load`,
    )
    const before = new Map(verdicts.map((verdict) => [verdict.mutant, verdict]))
    for (const verdict of await judgedBy(judge, waiting, start))
      before.set(verdict.mutant, inAll(before.get(verdict.mutant), verdict))
    verdicts = [...before.values()]
    waiting = verdicts.flatMap(({ mutant, is }) => (is === 'survived' ? [mutant] : []))
  }
  return verdicts
}

/** What the tests of the lines so far say together. */
const inAll = (before: Verdict | undefined, verdict: Verdict): Verdict =>
  before?.is === 'survived' && verdict.is === 'survived'
    ? { ...verdict, tried: before.tried + verdict.tried, untried: before.untried + verdict.untried }
    : verdict

async function judgedBy(judge: Judge, mutants: readonly Mutant[], start: () => Worker) {
  const waiting = mutants.toSorted((a, b) => Number(judge.isLoading(a)) - Number(judge.isLoading(b)))
  const verdicts: Verdict[] = []
  let judgedSoFar = 0
  const work = async () => {
    const worker = new Restarting(start)
    let kills: Kill[] = []
    const confirm = async () => {
      verdicts.push(...(await judge.confirmed(kills, worker)))
      kills = []
    }
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await judge.judge(mutant, worker)
      if (verdict.is === 'to be confirmed') kills.push(verdict)
      else verdicts.push(verdict)
      if (kills.length === CONFIRMED_TOGETHER) await confirm()
      if (++judgedSoFar % 50 === 0) console.log(`  ${judgedSoFar} judged`)
    }
    await confirm()
    await worker.replace()
  }
  await Promise.all(Array.from({ length: workers }, work))
  for (const { file, title } of judge.unfit) console.log(`  not used: ${file}: ${title}: it fails by itself`)
  return verdicts
}

/** Tells what became of the mutants of one area, and returns whether that is well. */
function told(name: string, verdicts: readonly Verdict[], seconds: number): boolean {
  const killed = verdicts.filter(({ is }) => is !== 'survived').length
  const timedOut = verdicts.filter(({ is }) => is === 'timed out').length
  const survivors = verdicts.filter((verdict) => verdict.is === 'survived')
  const reasons = survivors.map(({ mutant }) => EXPLAINED.find(explains(mutant)))
  // Two mutants may be alike, of which only one survives, and it may not be drawn.
  const stale = EXPLAINED.filter(
    (one) =>
      sample === Infinity &&
      verdicts.some(({ mutant }) => mutant.file === one.file) &&
      !survivors.some(({ mutant }) => explains(mutant)(one)),
  )
  for (const [index, { mutant, tried, untried }] of survivors.entries()) {
    const why = reasons[index]?.why
    console.log(
      `  ${why === undefined ? 'survived' : 'explained'} ${shown(mutant)}\n    ${why ?? `${tried} tests tried${untried > 0 ? `, ${untried} not tried` : ''}`}`,
    )
  }
  for (const one of stale)
    console.log(`  explained, but killed or gone: ${one.file}\n      ${one.code}\n    → ${one.becomes}`)
  const explained = reasons.filter((reason) => reason !== undefined).length
  const score = killed / verdicts.length
  console.log(
    `${name}: ${verdicts.length} mutants, ${killed} killed (${timedOut} of them timed out), ${survivors.length} survived (${explained} of them explained), score ${score.toFixed(3)}, ${seconds} s`,
  )
  return score >= LEAST_SCORE && explained === survivors.length && stale.length === 0
}

const folder = await mkdtemp(join(tmpdir(), 'organiser-mutants-'))
const databaseUrl = await testServer()
try {
  if (sample < Infinity) console.log(`MUTATE_SEED=${seed} MUTATE_SAMPLE=${sample}`)
  let isWell = true
  for (const area of areas) {
    const started = performance.now()
    const verdicts = await judged(area, folder)
    isWell = told(area.name, verdicts, Math.round((performance.now() - started) / 1000)) && isWell
  }
  process.exitCode = isWell ? 0 : 1
} finally {
  await stopTestServer()
  await rm(folder, { recursive: true, force: true })
}
