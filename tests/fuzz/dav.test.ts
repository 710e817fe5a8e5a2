import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fuzzDav } from './dav'
import { judgeDav } from './dav-judge'
import { type Caller, davRequest } from './dav-requests'

setDefaultTimeout(120_000)

describe('a thousand requests to /dav, good and bad ones,', () => {
  let result: Awaited<ReturnType<typeof fuzzDav>>
  beforeAll(async () => void (result = await fuzzDav({ seed: 20_261_123, requests: 1000 })))

  test('are answered with a status that clients know, XML that parses, and nothing of others', () => {
    expect(result.findings).toEqual([])
  })

  test('succeed with every method that /dav has, and are refused with each', () => {
    const outcomes = (method: string) => {
      const statuses = [...(result.statuses.get(method)?.keys() ?? [])]
      return [statuses.some((status) => status < 300), statuses.some((status) => status >= 400)]
    }
    for (const method of [
      'PUT',
      'GET',
      'HEAD',
      'DELETE',
      'PROPFIND',
      'PROPPATCH',
      'REPORT',
      'MKCALENDAR',
      'MKCOL',
    ])
      expect([method, ...outcomes(method)]).toEqual([method, true, true])
  })
})

const CALLER: Caller = {
  id: 1,
  authorization: 'Basic x',
  hrefs: ['/dav/calendars/1/calendar-1/', '/dav/calendars/1/calendar-1/a.ics'],
  tokens: [],
  etags: [],
  forbidden: ['secret'],
  isMember: false,
}

test('the same seed draws the same request again', () => {
  const drawn = (from: number) => Array.from({ length: 50 }, (_, n) => davRequest(from + n, CALLER))
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(1)).not.toEqual(drawn(1000))
})

describe('the judge of /dav finds', () => {
  const XML = 'application/xml; charset=utf-8'
  const GOOD = { 'x-request-id': 'x', 'x-content-type-options': 'nosniff', 'content-type': XML }
  const judged = (status: number, text: string, more: Record<string, string> = {}, method = 'REPORT') =>
    judgeDav({
      request: { caller: CALLER, method, path: '/dav/', headers: {}, body: undefined },
      status,
      headers: new Headers({ ...GOOD, ...more }),
      bytes: new TextEncoder().encode(text),
    })
  const error = '<d:error xmlns:d="DAV:"/>'
  const multistatus = (inside: string) => `<d:multistatus xmlns:d="DAV:">${inside}</d:multistatus>`
  const response = '<d:response><d:href>/</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>'

  test('nothing in what is right', () => {
    expect(judged(207, multistatus(response))).toEqual([])
    expect(judged(404, error)).toEqual([])
    expect(judged(503, error, { 'retry-after': '3600' })).toEqual([])
    expect(judged(502, error, {}, 'MOVE')).toEqual([])
    expect(judged(201, '', { etag: '"1-1"' }, 'PUT')).toEqual([])
  })

  test.each<[string, ReturnType<typeof judged>, string]>([
    ['a failure', judged(500, error), 'has a status that is not allowed'],
    [
      'a 503 for the load of one request',
      judged(503, error, { 'retry-after': '2' }),
      'has a status that is not allowed',
    ],
    ['another server where there is none', judged(502, error), 'has a status that is not allowed'],
    ['a 503 that does not say when', judged(503, error), 'has a status that is not allowed'],
    ['a 405 that does not say what', judged(405, error), 'has no allow'],
    ['a 401 that asks for nothing', judged(401, error), 'has no www-authenticate'],
    [
      'an error in JSON',
      judged(404, '{}', { 'content-type': 'application/json' }),
      'is an error without XML',
    ],
    ['a multistatus that breaks off', judged(207, multistatus(response).slice(0, -5)), 'does not parse'],
    ['a character that XML has not', judged(207, multistatus('\u0001')), 'does not parse'],
    ['another root', judged(207, error), 'begins with'],
    [
      'a response without a status',
      judged(207, multistatus('<d:response><d:href>/</d:href></d:response>')),
      'has an odd response',
    ],
    ["somebody else's word", judged(207, multistatus('<x>secret</x>')), "says somebody else's"],
    ['a cookie', judged(404, error, { 'set-cookie': 'x=y' }), 'has set-cookie'],
    ['a weak tag', judged(201, '', { etag: 'W/"1"' }, 'PUT'), 'has no strong ETag'],
  ])('%s', (_, findings, finding) => {
    expect(findings.join()).toContain(finding)
  })
})
