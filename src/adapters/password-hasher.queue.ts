import type { HashOwner } from '../lib/ports/passwords'

/** The most hashes computed at the same time for one account (contract: bounds.hashing). */
const PER_ACCOUNT = 2

/** A job that waits for a hashing process. */
export interface Queued {
  readonly owner: HashOwner
}

/**
 * The waiting jobs, in two lanes that take turns: for each process, a sign-in waits behind at most one job of the other lane.
 * Within a lane, jobs run in order of arrival, except for those whose account already has two running.
 */
export class HashQueue<Job extends Queued> {
  readonly #signIns: Job[] = []
  readonly #others: Job[] = []
  readonly #running = new Map<number | string, number>()
  #wasSignIn = false

  add(job: Job): void {
    const lane = this.#laneOf(job)
    lane.splice(placeOf(job.owner, lane), 0, job)
  }

  /** Adds the job at the front of its lane. */
  addFirst(job: Job): void {
    this.#laneOf(job).unshift(job)
  }

  /**
   * How many jobs a new one of this owner would wait for: those in its lane plus as many in the other lane, or those of its
   * account, whichever takes longer.
   */
  ahead(owner: HashOwner, processes: number): number {
    const [own, other] = owner.isSignIn ? [this.#signIns, this.#others] : [this.#others, this.#signIns]
    const ofAccount =
      owner.account === undefined ? 0 : own.filter((job) => job.owner.account === owner.account).length
    const before = ofAccount + this.#notOvertaken(own.slice(0, placeOf(owner, own)), owner)
    return Math.max(before + Math.min(before, other.length), (ofAccount * processes) / PER_ACCOUNT)
  }

  /**
   * Jobs of others in the lane that run before a new one. Of each account, only as many count as may run at the same time,
   * because the new job overtakes the rest.
   */
  #notOvertaken(lane: readonly Job[], { account: own }: HashOwner): number {
    const counts = new Map<number | string, number>()
    let forNobody = 0
    for (const { owner } of lane) {
      if (owner.account === undefined) forNobody += 1
      else if (owner.account !== own)
        counts.set(owner.account, Math.min((counts.get(owner.account) ?? 0) + 1, PER_ACCOUNT))
    }
    return forNobody + counts.values().reduce((sum, count) => sum + count, 0)
  }

  /** Takes the next job that may run. It counts as running until `ended`. */
  take(): Job | undefined {
    const lanes = this.#wasSignIn ? [this.#others, this.#signIns] : [this.#signIns, this.#others]
    for (const lane of lanes) {
      const index = lane.findIndex((job) => this.#mayRun(job))
      const [job] = index < 0 ? [] : lane.splice(index, 1)
      if (!job) continue
      this.#wasSignIn = lane === this.#signIns
      this.#count(job.owner, 1)
      return job
    }
    return undefined
  }

  ended({ owner }: Job): void {
    this.#count(owner, -1)
  }

  /** Whether `take` would return a job. */
  canRun(): boolean {
    return [this.#signIns, this.#others].some((lane) => lane.some((job) => this.#mayRun(job)))
  }

  /** Removes and returns all waiting jobs. */
  clear(): Job[] {
    return [...this.#signIns.splice(0), ...this.#others.splice(0)]
  }

  #laneOf({ owner }: Job): Job[] {
    return owner.isSignIn ? this.#signIns : this.#others
  }

  #mayRun({ owner }: Job): boolean {
    return this.#underWay(owner) < PER_ACCOUNT
  }

  #underWay({ account }: HashOwner): number {
    return account === undefined ? 0 : (this.#running.get(account) ?? 0)
  }

  #count({ account }: HashOwner, change: 1 | -1): void {
    if (account === undefined) return
    const count = (this.#running.get(account) ?? 0) + change
    if (count > 0) this.#running.set(account, count)
    else this.#running.delete(account)
  }
}

/** Returns the place of a new job in its lane. Clients take turns: it goes behind as many jobs of each other client as of its own. */
function placeOf({ isSignIn, client }: HashOwner, lane: readonly Queued[]): number {
  if (!isSignIn) return lane.length
  const counts = new Map<string | undefined, number>()
  const own = lane.filter(({ owner }) => owner.client === client).length
  const place = lane.findIndex(({ owner }) => {
    const count = counts.get(owner.client) ?? 0
    counts.set(owner.client, count + 1)
    return count > own
  })
  return place < 0 ? lane.length : place
}
