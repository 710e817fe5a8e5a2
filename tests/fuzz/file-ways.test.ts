import { describe, expect, test } from 'bun:test'
import { feedProblems, refusalProblems } from './file-ways'

const event = (uid: string, ...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT', ''].join('\r\n')

describe('the judge of a feed finds', () => {
  const [open, secret] = [event('a', 'CLASS:PUBLIC', 'SUMMARY:Choir'), event('b', 'CLASS:PRIVATE')]
  const masked = event('private-7', 'SUMMARY:Busy')

  test('nothing where it has what is public, and hides the rest', () => {
    expect(feedProblems([open, secret], [open, masked])).toEqual([])
    expect(feedProblems([], [])).toEqual([])
  })

  test('the occurrence of a private series hidden with it', () => {
    const series = [event('b', 'RRULE:FREQ=DAILY', 'CLASS:CONFIDENTIAL'), event('b', 'RECURRENCE-ID:1')]
    expect(feedProblems(series, [masked, masked])).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['that nothing is in it', feedProblems([open], []), 'other public events'],
    ['that an event is missing', feedProblems([open, event('c')], [open]), 'other public events'],
    ['another text', feedProblems([open], [event('a', 'SUMMARY:Another')]), 'other public events'],
    ['an event too many', feedProblems([open], [open, event('c')]), 'other public events'],
    ['a private event', feedProblems([secret], [secret]), 'other public events'],
    ['that a private event is missing', feedProblems([open, secret], [open]), 'hides 0 events instead of 1'],
    [
      'the text of a private event',
      feedProblems([secret], [event('private-7', 'LOCATION:Hall')]),
      'says more',
    ],
  ])('%s', (_, problems, finding) => {
    expect(problems.join()).toContain(finding)
  })
})

test('a file is refused for what is wrong with it, never for the load of one request', () => {
  expect([409, 412, 413, 422].flatMap((status) => refusalProblems('PUT', { status }))).toEqual([])
  expect(refusalProblems('PUT', { status: 503 })).toEqual(['PUT answers 503'])
})
