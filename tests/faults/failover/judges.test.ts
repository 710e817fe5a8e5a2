import { describe, expect, test } from 'bun:test'
import { problemsOfSeries } from '../writers'

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
