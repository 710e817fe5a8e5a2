import type { Deps } from '../deps'
import { briefFailure } from '../lib/database-failure'
import { reopenAllTodos } from '../features/tasks/todos/service'
import { purge } from './purge'
import { dispatchPushes } from './push-dispatch'

type Job = (deps: Deps, isStopping: () => boolean) => Promise<void>

const JOBS: Readonly<Record<string, Job>> = { dispatchPushes, purge, reopenAllTodos }

export type Jobs = ReturnType<typeof createJobs>

/** The background jobs of one instance. A job never runs twice at the same time and never blocks another one. */
export function createJobs(deps: Deps) {
  const running = new Map<string, Promise<void>>()
  let isStopping = false

  async function run(name: string, job: Job): Promise<void> {
    try {
      await job(deps, () => isStopping)
    } catch (error) {
      deps.log.error('A job failed', { job: name, ...briefFailure(error) })
    } finally {
      running.delete(name)
    }
  }

  return {
    /** Starts every job that is not running, and resolves once they have ended. */
    async tick(): Promise<void> {
      if (isStopping) return
      for (const [name, job] of Object.entries(JOBS)) {
        if (!running.has(name)) running.set(name, run(name, job))
      }
      await Promise.all(running.values())
    },
    /** Starts no more jobs, and resolves once the running ones have stopped early. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(running.values())
    },
  }
}
