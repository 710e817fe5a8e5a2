import { expect, test } from 'bun:test'
import { Turnstile } from '../../src/http/turnstile'

/** A processor that does one thing at a time: it recognises whoever is let in, and then serves them. */
class Service {
  nowMs = 0
  readonly turnstile = new Turnstile(() => this.nowMs)
  readonly servedMs: number[] = []
  readonly refusedMs: number[] = []
  readonly #tasks: Array<{ readonly costMs: number; readonly done: () => void }> = []
  readonly #costMs: number

  constructor(perSecond: number) {
    this.#costMs = 1000 / perSecond
  }

  async arrive() {
    const since = this.nowMs
    if (!(await this.turnstile.enter())) return void this.refusedMs.push(this.nowMs - since)
    const letIn = this.nowMs
    const serve = () => {
      this.turnstile.recognised(this.nowMs - letIn)
      this.#tasks.push({
        costMs: this.#costMs * 0.9,
        done: () => {
          this.servedMs.push(this.nowMs - since)
          this.turnstile.leave()
        },
      })
    }
    this.#tasks.push({ costMs: this.#costMs * 0.1, done: serve })
  }

  /** Lets time pass while `perSecond` more arrive. */
  async run(perSecond: number, seconds: number) {
    const endMs = this.nowMs + seconds * 1000
    const startMs = this.nowMs
    let arrived = 0
    while (this.nowMs < endMs) {
      const due = ((this.nowMs - startMs) / 1000) * perSecond
      for (; arrived < due; arrived++) void this.arrive()
      await Promise.resolve()
      const task = this.#tasks.shift()
      this.nowMs += task?.costMs ?? 1
      task?.done()
      await Promise.resolve()
    }
  }
}

const quantile = (values: readonly number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? Number.NaN

test.each([50, 200, 1000])(
  'under ten times what it can bear (%i a second), who is let in is served within a second, the rest refused',
  async (capacity) => {
    const service = new Service(capacity)
    await service.run(capacity * 10, 60)
    expect(quantile(service.servedMs, 0.99)).toBeLessThan(1000)
    expect(service.servedMs.length).toBeGreaterThan(capacity * 60 * 0.95)
    expect(quantile(service.refusedMs, 0.5)).toBe(0)
    expect(Math.max(...service.refusedMs)).toBeLessThan(1000)
  },
)

test('once the load is gone, everybody is let in again', async () => {
  const service = new Service(200)
  await service.run(2000, 10)
  await service.run(0, 2)
  const refused = service.refusedMs.length
  await service.run(150, 10)
  expect(service.refusedMs).toHaveLength(refused)
})

test('a burst that is soon over is served whole', async () => {
  const service = new Service(2000)
  for (let i = 0; i < 500; i++) void service.arrive()
  await service.run(0, 1)
  expect(service.servedMs).toHaveLength(500)
})

test('those who wait come in in the order of their coming', async () => {
  const turnstile = new Turnstile(() => 0)
  while (turnstile.enter() === true);
  const order: number[] = []
  for (let i = 1; i <= 5; i++) void Promise.resolve(turnstile.enter()).then(() => order.push(i))
  for (let i = 1; i <= 6; i++) turnstile.leave()
  await Promise.resolve()
  await Promise.resolve()
  expect(order).toEqual([1, 2, 3, 4, 5])
})
