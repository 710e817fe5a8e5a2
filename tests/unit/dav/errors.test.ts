import { describe, expect, test } from 'bun:test'
import {
  badRequest,
  busy,
  DavError,
  errorAnswer,
  needsPrivileges,
  refused,
  toDavError,
  unauthorized,
} from '../../../src/dav/errors'
import { TOO_MANY_PROPERTIES } from '../../../src/features/objects/collections/service.changes'
import { AppError, conflict, type ErrorKind, forbidden, tooMany, unavailable } from '../../../src/lib/errors'
import { caldav, dav } from '../../../src/lib/xml/names'

const seen = (error: unknown) => {
  const { status, details } = toDavError(error)
  return { status, precondition: details.precondition, headers: details.headers }
}

describe('a refusal of the service is, for clients of /dav,', () => {
  test.each<[kind: ErrorKind, status: number]>([
    ['bad_request', 400],
    ['not_found', 404],
    ['stale', 412],
    ['too_large', 413],
    ['invalid', 500],
    ['internal', 500],
    ['gone', 500],
  ])('%s as the status %d', (kind, status) => {
    const error = new AppError(kind, 'why')
    expect(seen(error)).toEqual({ status, precondition: undefined, headers: undefined })
    expect(toDavError(error).cause).toBe(error)
  })

  test('503 with a time where a status below would make phones delete their copies', () => {
    const waits = (seconds: string) => ({
      status: 503,
      precondition: undefined,
      headers: { 'retry-after': seconds },
    })
    expect(seen(tooMany('Slowly', 17))).toEqual(waits('17'))
    expect(seen(new AppError('too_many_requests', 'Slowly'))).toEqual(waits('2'))
    expect(seen(unavailable('trouble', 9))).toEqual(waits('9'))
    expect(toDavError(unavailable('trouble', 9)).cause).toBe('trouble')
    expect(seen(new AppError('unavailable', 'Later'))).toEqual(waits('2'))
    expect(seen(conflict('Too many'))).toEqual(waits('3600'))
    expect(seen(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' }))).toEqual(waits('2'))
  })

  test('507 where a client may keep no more properties', () => {
    expect(seen(new AppError('conflict', 'Too many', { code: TOO_MANY_PROPERTIES })).status).toBe(507)
  })

  test('403 with a precondition where the privileges do not allow it', () => {
    expect(seen(forbidden('No'))).toEqual({
      status: 403,
      precondition: dav('need-privileges'),
      headers: undefined,
    })
    expect(needsPrivileges()).toMatchObject({
      status: 403,
      details: { precondition: dav('need-privileges') },
    })
  })

  test('401 that asks for an app password', () => {
    const headers = { 'www-authenticate': 'Basic realm="Organiser", charset="UTF-8"' }
    expect(seen(new AppError('unauthenticated', 'Who?'))).toEqual({
      status: 401,
      precondition: undefined,
      headers,
    })
    expect(unauthorized().details).toEqual({ headers })
  })

  test('500 where it is none, with its cause for the log', () => {
    const error = new TypeError('oops')
    expect(seen(error)).toEqual({ status: 500, precondition: undefined, headers: undefined })
    expect(toDavError(error).cause).toBe(error)
  })

  test('itself where it is one already', () => {
    const error = refused(409, caldav('no-uid-conflict'))
    expect(toDavError(error)).toBe(error)
  })
})

describe('an answer', () => {
  test('names the precondition and what stands in it', async () => {
    const answer = errorAnswer(refused(409, caldav('no-uid-conflict'), '<d:href>/dav/</d:href>'))
    expect(answer.status).toBe(409)
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(await answer.text()).toContain(
      '><cal:no-uid-conflict><d:href>/dav/</d:href></cal:no-uid-conflict></d:error>',
    )
    expect(await errorAnswer(refused(403, dav('need-privileges'))).text()).toContain(
      '><d:need-privileges/></d:error>',
    )
  })

  test('without a precondition is an empty error, with its headers', async () => {
    const answer = errorAnswer(busy('7'))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(await answer.text()).toMatch(/^<\?xml [^>]*>\n<d:error [^>]*><\/d:error>\n$/)
  })

  test('says in its message what the log needs', () => {
    expect(refused(403, 'why').message).toBe('403 why')
    expect(refused(403, 'why').name).toBe('DavError')
    expect(badRequest).toThrow(new DavError(400))
    expect(new DavError(400).message).toBe('400 ')
    expect(Object.hasOwn(new DavError(400), 'cause')).toBe(false)
    expect('content' in refused(403, 'why').details).toBe(false)
  })
})
