import { afterEach, describe, expect, jest, test } from 'bun:test'
import type { Harness } from '../support/harness'
import { FailureLog } from './cast'
import { drive } from './driver'
import { ending } from './findings'
import type { Sent } from './requests'
import { send } from './sending'
import { errorsIn } from './stream-server'

/** A harness of which no more is used than how many connections it has. */
const withConnections = (count: number) =>
  ({ db: { execute: async () => [{ count }] } }) as unknown as Harness
const never = () => new Promise<never>(() => {})

describe('whoever sends requests tells', () => {
  const driven = { h: withConnections(4), log: new FailureLog(), unit: 'requests', lookEvery: 10 }
  const extent = { seed: 1, requests: 3 }
  const brief = ({ findings }: Awaited<ReturnType<typeof drive>>) =>
    findings.map(({ what, example, count }) => [what, example.split('\n')[0], count])

  test('nothing where nothing is wrong', async () => {
    const outcome = await drive(extent, { ...driven, step: async () => {} })
    expect([outcome.requests, outcome.findings]).toEqual([3, []])
  })

  test('which request hangs, and sends the others', async () => {
    const hanging = () => ending(never(), 'GET /things', { example: () => '/things?x=1', waitMs: 1 })
    const step = async (_: unknown, number: number) => (number === 1 ? hanging() : undefined)
    const outcome = await drive(extent, { ...driven, step })
    expect(outcome.requests).toBe(3)
    expect(brief(outcome)).toEqual([['HangingError: GET /things hangs', '/things?x=1', 1]])
  })

  test('where it broke off, and sends the others', async () => {
    const step = async (_: unknown, number: number) => {
      if (number > 0) throw new Error('no answer\nat all')
    }
    const outcome = await drive(extent, { ...driven, step })
    expect(outcome.requests).toBe(3)
    expect(brief(outcome)).toEqual([['Error: no answer', 'requests, number 1', 2]])
  })

  test('what was logged as a failure', async () => {
    const log = new FailureLog()
    const step = async (_: unknown, number: number) => log.error('Request failed', { number })
    const outcome = await drive({ ...extent, requests: 1 }, { ...driven, log, step })
    expect(brief(outcome)).toEqual([
      ['logged: Request failed {"number":0}', 'Request failed {"number":0}', 1],
    ])
  })

  test('connections that stay open', async () => {
    const outcome = await drive(extent, { ...driven, h: withConnections(5), step: async () => {} })
    expect(brief(outcome)).toEqual([['5 connections are open', 'after 3 requests', 1]])
  })
})

describe('a request of the document', () => {
  afterEach(() => void jest.useRealTimers())

  const sent = {
    operation: { method: 'POST', path: '/things/{id}', title: 'POST /things/{id}' },
    ids: ['7'],
    query: '?x=1',
    headers: {},
    body: '{"a":1}',
  } as unknown as Sent

  test.each<[string, () => Promise<Response>]>([
    ['an answer', never],
    ['the rest of its answer', async () => new Response(new ReadableStream({}))],
  ])('that waits for %s too long hangs, and is told', async (_, fetch) => {
    jest.useFakeTimers()
    const answer = send({ h: { app: { fetch } } as unknown as Harness }, sent)
    const caught = answer.catch((error: unknown) => error)
    jest.advanceTimersByTime(70_000)
    expect(await caught).toMatchObject({
      message: 'POST /things/{id} hangs',
      example: '/things/7?x=1 {"a":1}',
    })
  })
})

test('errors that a service logs are told from what else it says', () => {
  const line = (level: string) => JSON.stringify({ level, time: 'x', message: 'Job failed' })
  const said = ['Organiser serves on http://127.0.0.1:3000', line('info'), line('error'), ''].join('\n')
  expect(errorsIn(said)).toEqual([`Job failed ${line('error')}`])
  expect(errorsIn('')).toEqual([])
})
