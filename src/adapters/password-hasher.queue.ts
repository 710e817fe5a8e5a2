import type { HashOwner } from '../lib/ports'

/** Hashes of one account under way at once (contract: bounds.hashing). */
const PER_ACCOUNT = 2

/** Work that waits for a hashing process. */
export interface Queued {
  readonly owner: HashOwner
}

/**
 * The jobs that wait, in two lanes that take turns: sign-ins never wait behind more than one job of another kind for each process.
 * Within a lane they go in the order of their coming, but for those whose account has two under way.
 */
export class HashQueue<Job extends Queued> {
  readonly #signIns: Job[] = []
  readonly #others: Job[] = []
  readonly #running = new Map<number | string, number>()
  #wasSignIn = false

  add(job: Job): void {
    this.#laneOf(job).push(job)
  }

  /** Before all others of its lane. */
  addFirst(job: Job): void {
    this.#laneOf(job).unshift(job)
  }

  /** Jobs that a new one of this owner would wait for: of its lane, of the other as many, or of its account, whichever takes longest. */
  ahead(owner: HashOwner, processes: number): number {
    const [own, other] = owner.isSignIn ? [this.#signIns, this.#others] : [this.#others, this.#signIns]
    const ofAccount =
      owner.account === undefined ? 0 : own.filter((job) => job.owner.account === owner.account).length
    const before = ofAccount + this.#notOvertaken(own, owner)
    return Math.max(before + Math.min(before, other.length), (ofAccount * processes) / PER_ACCOUNT)
  }

  /** Jobs of others in the lane, of each account as many as may be under way at once: a new one goes past the rest. */
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

  /** The next job that may run, which counts as under way until `ended`. */
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

  /** Whether `take` would give one. */
  canRun(): boolean {
    return [this.#signIns, this.#others].some((lane) => lane.some((job) => this.#mayRun(job)))
  }

  /** Takes out all that wait. */
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
