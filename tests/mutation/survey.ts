import type { Worker } from './pool'

/** A test, and which mutants it passes. */
export interface Test {
  readonly file: string
  readonly place: number
  readonly title: string
  readonly ms: number
  /** What its file costs beside its tests. */
  readonly aroundMs: number
  readonly reached: ReadonlyMap<string, number>
}

export interface Survey {
  readonly tests: readonly Test[]
  /** The mutants that are passed while modules load: they need a process of their own. */
  readonly loading: ReadonlySet<string>
  readonly trouble: readonly string[]
}

const PATIENCE_MS = 300_000

/** Runs every test once without any mutant, and notes which mutants it passes. */
export async function survey(
  files: readonly string[],
  workers: ReadonlyArray<() => Worker>,
): Promise<Survey> {
  const waiting = [...files]
  const tests: Test[] = []
  const loading = new Set<string>()
  const trouble: string[] = []
  const work = async (start: () => Worker) => {
    let worker = start()
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const found = await worker.ask({ do: 'survey', file }, PATIENCE_MS)
      if (typeof found === 'string') {
        trouble.push(`${file}: ${found}`)
        worker = start()
        continue
      }
      if (found.trouble) trouble.push(found.trouble)
      for (const id of found.loading) loading.add(id)
      for (const [place, { title, ms, reached }] of found.tests.entries()) {
        if (reached)
          tests.push({
            file,
            place,
            title,
            ms,
            aroundMs: found.aroundMs,
            reached: new Map(Object.entries(reached)),
          })
        else trouble.push(`${file}: ${title}: it fails by itself`)
      }
    }
    await worker.end()
  }
  await Promise.all(workers.map(work))
  return { tests, loading, trouble }
}
