/** Lets so many through at once; the others wait in the order of their coming. */
export function createGate(width: number) {
  let inside = 0
  const waiting: Array<() => void> = []
  return async function through<T>(work: () => Promise<T>): Promise<T> {
    if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inside--
    }
  }
}
