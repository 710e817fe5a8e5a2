import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fuzzBatch } from './batch'
import { fuzzFiles } from './file-fuzz'
import { growthOf } from './growth'
import { fuzzStream } from './stream'

setDefaultTimeout(240_000)

const SEED = 20_261_124

test('batches of generated commands are answered as the document says, each command as if it had come alone', async () => {
  const { findings, statuses } = await fuzzBatch({ seed: SEED, requests: 60 })
  expect(findings).toEqual([])
  expect([...(statuses.get('command')?.keys() ?? [])]).toEqual(
    expect.arrayContaining([200, 201, 204, 404, 422, 424]),
  )
})

test('live updates that are followed, forged, cut and never read tell only what they should, and nothing of them stays', async () => {
  const { findings, statuses } = await fuzzStream({ seed: SEED, requests: 120 })
  expect(findings).toEqual([])
  expect([...(statuses.get('GET')?.keys() ?? [])]).toEqual(expect.arrayContaining([200, 422]))
})

test('calendar and card files by their grammars come in by PUT and import, and go out by all ways as they were taken', async () => {
  expect((await fuzzFiles({ seed: SEED, requests: 50 })).findings).toEqual([])
})

describe('memory', () => {
  const MIB = 1024 * 1024
  const samples = (from: number, to: number) =>
    Array.from({ length: 20 }, (_, n) => (from + ((to - from) * n) / 19) * MIB)

  test('that settles, or goes up and down, has not grown', () => {
    expect(growthOf([...samples(100, 400), ...samples(400, 400), ...samples(410, 420)])).toBeUndefined()
  })

  test('that goes on growing has', () => {
    expect(growthOf(samples(100, 900))).toStartWith('memory grew from ')
  })
})
