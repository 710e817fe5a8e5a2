import { expect, test } from 'bun:test'
import { Turnstile } from '../../src/http/turnstile'

/** A processor that serves one request at a time, of those that were let in. */
class Service {
  nowMs = 0
  readonly turnstile = new Turnstile(() => this.nowMs)
  readonly servedMs: number[] = []
  readonly refusedMs: number[] = []
  readonly #tasks: Array<() => void> = []
  readonly #costMs: number

  constructor(perSecond: number) {
    this.#costMs = 1000 / perSecond
  }

  async arrive() {
    const since = this.nowMs
    if (!(await this.turnstile.enter())) return void this.refusedMs.push(this.nowMs - since)
    this.#tasks.push(() => {
      this.servedMs.push(this.nowMs - since)
      this.turnstile.leave()
    })
  }

  /** Lets time pass while `perSecond` more arrive, and nobody is served. */
  async stall(perSecond: number, seconds: number) {
    for (let ms = 0; ms < seconds * 1000; ms += 1000 / perSecond) {
      void this.arrive()
      this.nowMs += 1000 / perSecond
      await Promise.resolve()
    }
  }

  /** Lets time pass while `perSecond` more arrive. */
  async run(perSecond: number, seconds: number) {
    const startMs = this.nowMs
    let arrived = 0
    while (this.nowMs < startMs + seconds * 1000) {
      const due = ((this.nowMs - startMs) / 1000) * perSecond
      for (; arrived < due; arrived++) void this.arrive()
      await Promise.resolve()
      const task = this.#tasks.shift()
      this.nowMs += task ? this.#costMs : 1
      task?.()
      await Promise.resolve()
    }
  }
}

const quantile = (values: readonly number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? Number.NaN

test.each([50, 200, 1000])(
  'under ten times the load that it bears (%i a second), 99 of 100 are served within a second, and the rest are refused at once',
  async (capacity) => {
    const service = new Service(capacity)
    await service.run(capacity * 10, 60)
    expect(quantile(service.servedMs, 0.99)).toBeLessThan(1000)
    expect(service.servedMs.length).toBeGreaterThan(capacity * 60 * 0.95)
    expect(quantile(service.refusedMs, 0.95)).toBe(0)
    expect(Math.max(...service.refusedMs)).toBeLessThan(1000)
  },
)

test.each([100, 200, 1000])('a burst of 200 is served whole, at %i a second', async (capacity) => {
  const service = new Service(capacity)
  for (let i = 0; i < 200; i++) void service.arrive()
  await service.run(0, 3)
  expect(service.servedMs).toHaveLength(200)
})

test('bursts that follow each other are served whole, with what others send meanwhile', async () => {
  const service = new Service(500)
  for (let burst = 0; burst < 5; burst++) {
    for (let i = 0; i < 200; i++) void service.arrive()
    await service.run(50, 1)
  }
  await service.run(0, 1)
  expect(service.refusedMs).toEqual([])
})

test('a second in which nothing is answered refuses nobody who comes in soon after', async () => {
  const service = new Service(500)
  await service.run(100, 2)
  for (let i = 0; i < 100; i++) void service.arrive()
  service.nowMs += 1000
  await service.run(100, 2)
  expect(service.refusedMs).toEqual([])
})

test('a stall in which requests go on coming refuses nobody', async () => {
  const service = new Service(500)
  await service.run(100, 2)
  await service.stall(100, 1.3)
  await service.run(100, 3)
  expect(service.refusedMs).toEqual([])
})

test('a burst long after an overload is served whole', async () => {
  for (const silenceMs of [600, 3000, 60_000]) {
    const service = new Service(200)
    await service.run(2000, 10)
    await service.run(0, 2)
    service.nowMs += silenceMs
    const [served, refused] = [service.servedMs.length, service.refusedMs.length]
    for (let i = 0; i < 200; i++) void service.arrive()
    await service.run(0, 3)
    expect([service.servedMs.length - served, service.refusedMs.length - refused]).toEqual([200, 0])
  }
})

test('once the load is gone, everybody is let in again', async () => {
  const service = new Service(200)
  await service.run(2000, 10)
  await service.run(0, 2)
  const refused = service.refusedMs.length
  await service.run(150, 10)
  expect(service.refusedMs).toHaveLength(refused)
})

test('a little more than it bears is shed, and no more', async () => {
  const service = new Service(200)
  await service.run(220, 60)
  expect(service.servedMs.length).toBeGreaterThan(200 * 60 * 0.98)
  expect(quantile(service.servedMs, 0.99)).toBeLessThan(1000)
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
