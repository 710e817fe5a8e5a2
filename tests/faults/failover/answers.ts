import type { Ask } from '../writers'

/** Asks as `fetch` does, and notes how long it took until there was an answer: sending a long one may take longer. */
export function answerTimes() {
  const seen = { answers: 0, longestMs: 0, longest: '', unanswered: 0 }
  const ask: Ask = async (url, init) => {
    const since = performance.now()
    try {
      return await fetch(url, init)
    } catch (error) {
      seen.unanswered += 1
      throw error
    } finally {
      seen.answers += 1
      const ms = performance.now() - since
      if (ms > seen.longestMs) {
        seen.longestMs = ms
        seen.longest = `${init.method ?? 'GET'} ${new URL(url).pathname}`
      }
    }
  }
  return { ask, seen }
}
