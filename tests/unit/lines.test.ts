import { expect, test } from 'bun:test'
import { AppError } from '../../src/lib/errors'
import { Lines } from '../../src/http/lines'

/** Lines under a clock that the test moves. */
function startLines() {
  let nowMs = 0
  const sweeps: Array<() => void> = []
  const lines = new Lines(
    () => nowMs,
    (run) => sweeps.push(run),
  )
  const advance = (ms: number) => {
    nowMs += ms
    for (const sweep of sweeps.splice(0)) sweep()
  }
  return { lines, advance }
}

/** Whether eight more requests of the key run at once. */
const fill = (lines: Lines, key: string) =>
  Array.from({ length: 8 }, () => lines.enter(key)).every((turn) => turn === undefined)

test('eight requests of one key run at once, and the ninth once one of them has ended', async () => {
  const { lines } = startLines()
  expect(fill(lines, 'ada')).toBe(true)
  const order: string[] = []
  const ninth = lines.enter('ada')?.then(() => order.push('ninth'))
  const tenth = lines.enter('ada')?.then(() => order.push('tenth'))
  await Promise.resolve()
  expect(order).toEqual([])
  lines.leave('ada')
  await ninth
  expect(order).toEqual(['ninth'])
  lines.leave('ada')
  await tenth
  expect(order).toEqual(['ninth', 'tenth'])
})

test('a request that has waited two seconds is refused, and takes the turn of nobody', async () => {
  const { lines, advance } = startLines()
  fill(lines, 'ada')
  const impatient = lines.enter('ada')
  advance(1500)
  const patient = lines.enter('ada')
  advance(600)
  const refusal: unknown = await impatient?.catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    kind: 'too_many_requests',
    message: 'Too many requests at once',
    headers: { 'retry-after': '1' },
  })
  lines.leave('ada')
  expect(await patient).toBeUndefined()
})

test('nobody waits for the requests of another key', () => {
  const { lines } = startLines()
  fill(lines, 'ada')
  void lines.enter('ada')
  expect(fill(lines, 'bob')).toBe(true)
})

test('a key whose requests have all ended is forgotten', async () => {
  const { lines } = startLines()
  fill(lines, 'ada')
  const ninth = lines.enter('ada')
  for (let i = 0; i < 8; i++) lines.leave('ada')
  await ninth
  expect(lines.size).toBe(1)
  lines.leave('ada')
  expect(lines.size).toBe(0)
})
