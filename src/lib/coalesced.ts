interface Waiter<K, V> {
  readonly key: K
  readonly resolve: (value: V | undefined) => void
  readonly reject: (error: unknown) => void
}

/** What is asked for while a load runs is loaded together by the next: each caller gets what their key's id has. */
export function coalesced<K extends { readonly id: number }, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<number, V>>,
): (key: K) => Promise<V | undefined> {
  const waiting: Array<Waiter<K, V>> = []
  let isRunning = false

  async function answer(batch: ReadonlyArray<Waiter<K, V>>): Promise<void> {
    try {
      const found = await load(batch.map(({ key }) => key))
      for (const { key, resolve } of batch) resolve(found.get(key.id))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    // Whoever asks in the same turn comes along.
    await Promise.resolve()
    while (waiting.length > 0) await answer(waiting.splice(0))
    isRunning = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!isRunning) void run()
    })
}
