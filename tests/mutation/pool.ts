import { join } from 'node:path'
import type { Order, Told } from './worker'

type Answer<D extends Order['do']> = Told & { told: D extends 'survey' ? 'surveyed' : 'run' }
export type Outcome<D extends Order['do']> = Answer<D> | 'silent' | 'ended'

/** A process that runs tests. One that has been silent for too long, or has ended, is over. */
export class Worker {
  readonly #process
  #hear: (told: Told | 'ended') => void = () => {}
  readonly #ready: Promise<unknown>

  constructor(env: Record<string, string>) {
    this.#ready = new Promise((ready) => {
      this.#hear = ready
    })
    this.#process = Bun.spawn({
      cmd: [
        process.execPath,
        '--preload',
        join(import.meta.dir, 'plugin.ts'),
        join(import.meta.dir, 'worker.ts'),
      ],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (told: Told) => this.#hear(told),
      onExit: () => this.#hear('ended'),
    })
  }

  /** Waits for the answer, for so long since the last sign of life. */
  async ask<D extends Order['do']>(order: Order & { do: D }, patienceMs: number): Promise<Outcome<D>> {
    await this.#ready
    const { promise, resolve } = Promise.withResolvers<Outcome<D>>()
    let timer = setTimeout(() => resolve('silent'), patienceMs)
    this.#hear = (told) => {
      if (told !== 'ended' && (told.told === 'begun' || told.told === 'ready')) {
        clearTimeout(timer)
        timer = setTimeout(() => resolve('silent'), patienceMs)
      } else resolve(told as Outcome<D>)
    }
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.send(order)
    else resolve('ended')
    const outcome = await promise
    clearTimeout(timer)
    if (typeof outcome === 'string') await this.end()
    return outcome
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#process.exited
  }
}
