import { expect, test } from 'bun:test'
import { Lines } from '../../src/http/lines'
import { AppError } from '../../src/lib/errors'

const [ADA, BOB] = [{ key: 'ada' }, { key: 'bob' }]

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

type Leave = () => void
const isIn = (entered: Leave | Promise<Leave>): entered is Leave => typeof entered === 'function'

/** Eight requests that are let in at once. */
function fill(lines: Lines, caller: { key: string }): Leave[] {
  const entered = Array.from({ length: 8 }, () => lines.enter(caller)).filter(isIn)
  expect(entered).toHaveLength(8)
  return entered
}

test('eight requests of one key run at once, and the ninth once one of them has ended', async () => {
  const { lines } = startLines()
  const [first, second] = fill(lines, ADA)
  const order: string[] = []
  const wait = async (name: string) => {
    await lines.enter(ADA)
    order.push(name)
  }
  const [ninth, tenth] = [wait('ninth'), wait('tenth')]
  await Promise.resolve()
  expect(order).toEqual([])
  first?.()
  await ninth
  expect(order).toEqual(['ninth'])
  second?.()
  await tenth
  expect(order).toEqual(['ninth', 'tenth'])
})

test('a request that has waited two seconds is refused, and takes the turn of nobody', async () => {
  const { lines, advance } = startLines()
  const [first] = fill(lines, ADA)
  const impatient = Promise.resolve(lines.enter(ADA)).catch((error: unknown) => error)
  advance(1500)
  const patient = lines.enter(ADA)
  advance(600)
  const refusal = await impatient
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    kind: 'too_many_requests',
    message: 'Too many requests at once',
    headers: { 'retry-after': '1' },
  })
  first?.()
  expect(await patient).toBeFunction()
})

test('a request that leaves twice leaves once', () => {
  const { lines } = startLines()
  const [first] = fill(lines, ADA)
  first?.()
  first?.()
  expect(isIn(lines.enter(ADA))).toBe(true)
  expect(isIn(lines.enter(ADA))).toBe(false)
})

test('nobody waits for the requests of another key', () => {
  const { lines } = startLines()
  fill(lines, ADA)
  void lines.enter(ADA)
  fill(lines, BOB)
})

test('a key whose requests have all ended is forgotten', async () => {
  const { lines } = startLines()
  const eight = fill(lines, ADA)
  const ninth = lines.enter(ADA)
  for (const leave of eight) leave()
  const leave = await ninth
  expect(lines.size).toBe(1)
  leave()
  expect(lines.size).toBe(0)
})

test('of one key 1 024 wait, and one more is refused at once', async () => {
  const { lines } = startLines()
  const [first] = fill(lines, ADA)
  const waiting = Array.from({ length: 1024 }, () => lines.enter(ADA))
  expect(waiting.some(isIn)).toBe(false)
  expect(() => lines.enter(ADA)).toThrow('Too many requests at once')
  fill(lines, BOB)
  first?.()
  expect(isIn(await (waiting[0] ?? expect.unreachable()))).toBe(true)
  expect(isIn(lines.enter(ADA))).toBe(false)
})

test('a request stands in several lines at once, and leaves all of them, also those that it came into before it was refused', async () => {
  const { lines } = startLines()
  const wide = { key: 'wide', clients: 2, mostWaiting: 0 }
  const leaveBoth = await lines.enterAll([ADA, wide])
  for (let i = 0; i < 15; i++) void lines.enter(wide)
  const refusal = await lines.enterAll([BOB, wide]).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ kind: 'too_many_requests' })
  fill(lines, BOB)
  leaveBoth()
  fill(lines, ADA)
  expect(isIn(lines.enter(wide))).toBe(true)
})
