import { describe, expect, test } from 'bun:test'
import { freePort } from '../../support/service'
import { problemsOfSeries } from '../writers'
import { answerTimes } from './answers'
import { dueAfter, judgeRepeats } from './pushes'

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

describe('of messages', () => {
  const [one, other] = [
    { title: 'due 0', sequence_id: 'a' },
    { title: 'due 1', sequence_id: 'b' },
  ]

  test('each second has one that is due, until the last that was planned', () => {
    expect(dueAfter(0)).toEqual([])
    expect(dueAfter(2)).toEqual(['due 0', 'due 1'])
    expect(dueAfter(100_000).at(-1)).toBe('due 1800')
  })

  test('as many as were under way may come again', () => {
    expect(judgeRepeats([one, one, other, other], 2)).toEqual({ again: 2, problems: [] })
  })

  test('more of them, and one that came again as another, are a problem', () => {
    expect(judgeRepeats([one, one, other, other], 1).problems).toEqual(['2 came again'])
    expect(judgeRepeats([one, { ...one, sequence_id: 'c' }], 1).problems).toEqual([
      'due 0 came again as another',
    ])
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
