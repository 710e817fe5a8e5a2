import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fuzzTools } from './tools'
import { judgeCall } from './tools-judge'

setDefaultTimeout(240_000)

describe('four hundred calls of tools, good and bad ones,', () => {
  let result: Awaited<ReturnType<typeof fuzzTools>>
  beforeAll(async () => void (result = await fuzzTools({ seed: 20_261_124, requests: 400 })))

  test('are answered within 8 kB, without a failure, and with nothing of others but as theirs', () => {
    expect(result.findings).toEqual([])
  })

  test('succeed with every tool, and are refused with each', () => {
    const names = ['overview', 'find', 'add', 'change', 'delete', 'answer_invitation', 'find_time', 'undo']
    const outcomes = names.map((name) => {
      const { done = 0, refused = 0 } = result.outcomes.get(name) ?? {}
      return [name, done > 0, refused > 0]
    })
    expect(outcomes).toEqual(names.map((name) => [name, true, true]))
  })
})

describe('the judge of /mcp finds', () => {
  const said = (structuredContent: unknown, text = '', isError = false) =>
    judgeCall({
      status: 200,
      text: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text }], structuredContent, isError },
      }),
    })

  test('nothing in what is right', () => {
    expect(said({ items: [{ title: { untrusted: 'zqforeign', by: 'ada' } }] })).toEqual([])
    expect(judgeCall({ status: 413, text: '{}' })).toEqual([])
    expect(judgeCall({ status: 200, text: '{"error":{"code":-32602,"message":"x"}}' })).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['a failure', said({ detail: 'Internal server error' }, '', true), 'is a failure'],
    [
      'a failure of the protocol',
      judgeCall({ status: 200, text: '{"error":{"code":-32603}}' }),
      'is a failure',
    ],
    ['a status of a failure', judgeCall({ status: 503, text: '' }), 'has the status 503'],
    ['a text that is no JSON', judgeCall({ status: 200, text: '{' }), 'does not parse'],
    ['an answer without a result', judgeCall({ status: 200, text: '{}' }), 'has another shape'],
    ['an answer that is too long', said({ x: 'x'.repeat(8200) }), 'has more than 8 kB'],
    ['too many items', said({ items: Array.from({ length: 51 }, () => 1) }), 'has more than 50 items'],
    ["a stranger's word", said({ x: 'zqsecret' }), "tells of somebody else's record"],
    ['a text of a friend as one’s own', said({ title: 'zqforeign' }), 'tells a text of others as its own'],
  ])('%s', (_, findings, finding) => {
    expect(findings.join()).toContain(finding)
  })
})
