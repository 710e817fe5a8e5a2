import { describe, expect, test } from 'bun:test'
import { freePort } from '../../support/service'
import { problemsOfSeries } from '../writers'
import { answerTimes } from './answers'

describe('of series', () => {
  test('those that are whole are no problem, whether they were acknowledged or not', () => {
    const occurrences = new Map([
      ['series 1', 4],
      ['series 2', 4],
    ])
    expect(problemsOfSeries(['series 1'], occurrences)).toEqual([])
  })

  test('one that was acknowledged and is not there is lost', () => {
    expect(problemsOfSeries(['series 1', 'series 2'], new Map([['series 1', 4]]))).toEqual([
      'series 2 is lost',
    ])
  })

  test('one of which a half is missing is a problem', () => {
    expect(problemsOfSeries([], new Map([['series 1', 1]]))).toEqual(['series 1 has 1 occurrences'])
  })
})

test('a request that nobody answers is noted, and one whose sender left is not', async () => {
  const { ask, seen } = answerTimes()
  const url = `http://127.0.0.1:${await freePort()}/health/live`
  expect(await ask(url, { signal: AbortSignal.abort() }).catch(() => 'left')).toBe('left')
  expect(seen.unanswered).toEqual([])
  expect(await ask(url, {}).catch(() => 'none')).toBe('none')
  expect(seen.unanswered).toEqual([expect.stringMatching(/^GET \/health\/live after \d+ ms: /)])
})
