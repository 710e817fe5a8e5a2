import type { Ask } from '../writers'

/**
 * Asks as `fetch` does, and notes how long it took until there was an answer: sending a long one may take longer. Who leaves before
 * there is one wants none.
 */
export function answerTimes() {
  const unanswered: string[] = []
  const seen = { answers: 0, longestMs: 0, longest: '', unanswered }
  const ask: Ask = async (url, init) => {
    const since = performance.now()
    const name = `${init.method ?? 'GET'} ${new URL(url).pathname}`
    try {
      return await fetch(url, init)
    } catch (error) {
      const ms = Math.round(performance.now() - since)
      if (!init.signal?.aborted) unanswered.push(`${name} after ${ms} ms: ${String(error)}`)
      throw error
    } finally {
      seen.answers += 1
      const ms = performance.now() - since
      if (ms > seen.longestMs) {
        seen.longestMs = ms
        seen.longest = name
      }
    }
  }
  return { ask, seen }
}
