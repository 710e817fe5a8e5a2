import { fakeNtfy } from '../support/ntfy'
import { memoryOf } from '../fuzz/stream-server'
import { Browser } from './browser'
import { Line, Records } from './calls'
import { disturbances } from './disturbing'
import { Copies } from './following'
import { type Household, type Member, moveIn } from './household'
import { Ledger } from './ledger'
import { Phone } from './phone'
import { type Arrival, growthOfMemory, pushProblems, waitForPushes } from './proofs'
import { Script } from './script'
import { type Servers, startServers } from './servers'

interface Options {
  readonly minutes: number
  readonly speed: number
  readonly tell: (line: string) => void
}

/** Clocks in Europe go forward. */
const DST_MS = Date.parse('2026-03-29T01:00:00Z')
const SAMPLE_MS = 5000
/** How many times everybody stops, and everything is compared. */
const CHECKS = 6

interface Cast {
  readonly browsers: readonly Browser[]
  readonly phones: readonly Phone[]
  readonly script: Script
  readonly copies: readonly Copies[]
  readonly ledger: Ledger
}

/** Runs the household and answers what went wrong. Clocks go forward in the middle of the run. */
export async function soak({ minutes, speed, tell }: Options): Promise<readonly string[]> {
  await using stack = new AsyncDisposableStack()
  const durationMs = minutes * 60_000
  const servers = await startServers(stack, { epochMs: DST_MS - (durationMs * speed) / 2, speed })
  const arrivals: Arrival[] = []
  const ntfy = stack.use(fakeNtfy())
  ntfy.react = ({ title, sequence_id: id }) => {
    arrivals.push({ title, id, at: servers.time.now().getTime() })
    return undefined
  }
  const records = new Records(tell)
  const household = await moveIn(servers, records, ntfy.url)
  const cast = castOf(servers, records, household)
  const run = new Run(records, cast)
  const started = Date.now()
  const memory: number[] = []
  const watching = setInterval(() => {
    if (!watch(servers, records)) clearInterval(watching)
    else memory.push(memoryOf(servers.steady.pid))
  }, SAMPLE_MS)
  const telling = setInterval(() => tell(lineOf(servers, { records, cast, started, memory })), 60_000)
  stack.defer(() => {
    clearInterval(watching)
    clearInterval(telling)
  })
  run.begin()
  const disturbing = disturbances(servers, {
    durationMs,
    records,
    tell,
    isOver: () => run.isOver,
  }).catch((error: unknown) => records.problem(`nothing disturbs any more: ${String(error)}`))
  for (let check = 1; check <= CHECKS; check++) {
    await Bun.sleep(Math.max(0, started + (durationMs * check) / CHECKS - Date.now()))
    await run.pause(() => verify(servers, records, cast))
    tell(`check ${check}: ${records.problems.length} problems`)
  }
  await disturbing
  await run.end(() => verify(servers, records, cast))
  const due = cast.script.plan.filter(({ at }) => at <= servers.time.now().getTime())
  await waitForPushes(due, arrivals)
  const found = await pushProblems(servers, { plan: cast.script.plan, due, arrivals })
  for (const problem of found.problems) records.problem(problem)
  const grown = growthOfMemory(memory)
  if (grown.problem !== undefined) records.problem(grown.problem)
  tell(lineOf(servers, { records, cast, started, memory }))
  tell(`${found.told}; ${grown.told}; requests by status: ${statusesOf(records)}`)
  tell(`${records.broken} requests broke off, the longest took ${Math.round(records.longestMs)} ms`)
  return records.problems
}

/** Whether the instance that is never stopped still runs; what instances log as errors is told once. */
function watch({ steady, flaky, trouble }: Servers, records: Records): boolean {
  for (const instance of [steady, flaky]) {
    const mayFail = trouble.isOf([instance], Date.now() - SAMPLE_MS)
    const { errors, said } = instance.news()
    if (said !== '') records.problem(`an instance says: ${said}`)
    if (errors !== '' && !mayFail) records.problem(`an instance logs: ${errors}`)
  }
  if (steady.isRunning) return true
  records.problem('an instance ended by itself')
  return false
}

function castOf(servers: Servers, records: Records, { ada, bob }: Household): Cast {
  const line = (headers: Readonly<Record<string, string>>) => new Line(servers, records, headers)
  const ledger = new Ledger()
  const pathsOf = ({ id, calendarId }: Member) => [
    `/dav/calendars/${id}/calendar-${calendarId}/`,
    `/dav/calendars/${id}/todos/`,
    `/dav/addressbooks/${id}/contacts/`,
  ]
  const phone = (member: Member, name: string) =>
    new Phone(line({ authorization: member.basic }), ledger, { name, paths: pathsOf(member) })
  return {
    browsers: [
      new Browser(ada, line({ cookie: ada.cookie }), 'tab one'),
      new Browser(ada, line({ cookie: ada.cookie }), 'tab two'),
      new Browser(bob, line({ cookie: bob.cookie }), 'laptop'),
    ],
    phones: [phone(ada, 'phone one'), phone(ada, 'phone two'), phone(bob, 'phone three')],
    script: new Script(line({ authorization: ada.bearer }), servers.time),
    copies: [ada, bob].map((member) => new Copies(member, line({ cookie: member.cookie }))),
    ledger,
  }
}

/** Everybody acts until they are told to pause or to stop. */
class Run {
  isOver = false
  readonly #records: Records
  readonly #cast: Cast
  readonly #actors: Array<Promise<void>> = []
  #gate = Promise.resolve()
  #acting = 0

  constructor(records: Records, cast: Cast) {
    this.#records = records
    this.#cast = cast
  }

  begin(): void {
    const { browsers, phones, script, copies } = this.#cast
    for (const browser of browsers) this.#actors.push(this.#act(() => browser.step(), 300))
    for (const phone of phones) this.#actors.push(this.#act(() => phone.step(), 250))
    this.#actors.push(this.#act(() => script.step(), 1500))
    for (const copy of copies) {
      this.#actors.push(this.#act(() => copy.step(), 700))
      this.#actors.push(
        copy
          .listen(() => this.isOver)
          .catch((error: unknown) => this.#records.problem(`nobody listens any more: ${String(error)}`)),
      )
    }
  }

  async #act(step: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!this.isOver) {
      await this.#gate
      this.#acting++
      try {
        await step()
      } catch (error) {
        this.#records.problem(`somebody cannot go on: ${String(error)}`)
      } finally {
        this.#acting--
      }
      await Bun.sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  /** Does something while nobody acts. */
  async pause(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    while (this.#acting > 0) await Bun.sleep(20)
    try {
      await work()
    } finally {
      resolve()
    }
  }

  /** Stops everybody, after something that is done while nobody acts. */
  async end(work: () => Promise<void>): Promise<void> {
    await this.pause(async () => {
      await work()
      this.isOver = true
    })
    await Promise.all(this.#actors)
  }
}

/** Everything that was acknowledged is there, and every copy is the same. */
async function verify({ trouble, flaky, steady }: Servers, records: Records, cast: Cast): Promise<void> {
  while (trouble.isOf([flaky, steady])) await Bun.sleep(100)
  const { browsers, phones, script, copies, ledger } = cast
  try {
    for (const browser of browsers) await browser.verify()
    await script.verify()
    for (const phone of phones) await phone.verify()
    for (const href of ledger.hrefs()) await ownerOf(phones, href)?.read(href)
    for (const copy of copies) await copy.verify()
  } catch (error) {
    records.problem(`cannot be verified: ${String(error)}`)
  }
}

const ownerOf = (phones: readonly Phone[], href: string) =>
  phones.find(({ collections }) => collections.some(({ path }) => href.startsWith(path)))

const statusesOf = ({ statuses }: Records) =>
  [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ')

interface State {
  readonly records: Records
  readonly cast: Cast
  readonly started: number
  readonly memory: readonly number[]
}

function lineOf({ time, flaky, steady }: Servers, { records, cast, started, memory }: State): string {
  const requests = [...records.statuses.values()].reduce((sum, count) => sum + count, 0)
  return [
    `${Math.round((Date.now() - started) / 60_000)} min`,
    time.now().toISOString(),
    `${requests} requests`,
    `${cast.browsers.reduce((sum, { changes }) => sum + changes, 0)} changes by browsers`,
    `${cast.ledger.acknowledged} by phones`,
    `${cast.phones.reduce((sum, { conflicts }) => sum + conflicts, 0)} conflicts`,
    `${cast.script.plan.length} reminders`,
    `${flaky.restarts + steady.restarts} restarts`,
    `${Math.round((memory.at(-1) ?? 0) / 1_048_576)} MiB`,
    `${records.problems.length} problems`,
  ].join(', ')
}
