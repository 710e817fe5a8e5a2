import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  MOST_PUSHED,
  numberAt,
  type Numbered,
  numbersFor,
  readNumber,
  renumbered,
} from '../../src/features/tasks/todo-order/rules'
import { movedIn } from '../../src/lib/ordering'

const NOW = 800_000_000

/** Puts a todo at a place of a list, and says how many others got another number. */
function place(list: readonly Numbered[], one: Numbered, at: number) {
  const [before, after] = [list.slice(0, at), list.slice(at)]
  const neighbours = {
    before: before.slice(-MOST_PUSHED - 1).toReversed(),
    after: after.slice(0, MOST_PUSHED + 1),
  }
  const given = new Map(numbersFor([one], neighbours, NOW).map(({ id, number }) => [id, number]))
  const next = [...before, one, ...after].map(({ id, number }) => ({ id, number: given.get(id) ?? number }))
  return { next, others: given.size - 1 }
}

const isSorted = (list: readonly Numbered[]) =>
  list.every(({ number }, at) => at === 0 || (list[at - 1]?.number ?? 0) < number)

const listed = (numbers: readonly number[]): Numbered[] =>
  numbers.map((number, id) => ({ id: id + 1, number }))

describe('the number of a todo', () => {
  test('counts seconds from 2001 on', () => {
    expect(numberAt(new Date('2001-01-01T00:00:01.900Z'))).toBe(1)
  })

  test.each([
    ['12', 12],
    [' -7 ', -7],
    ['+3', 3],
    ['1.5', null],
    ['', null],
    ['9'.repeat(16), null],
    [undefined, null],
  ])('is read from %p as %p', (value, number) => {
    expect(readNumber(value)).toBe(number)
  })
})

describe('a todo that gets a place', () => {
  test.each([
    { where: 'between others', list: [10, 20], at: 1, after: [10, 15, 20], others: 0 },
    { where: 'before all', list: [10, 20], at: 0, after: [-6, 10, 20], others: 0 },
    { where: 'after all', list: [10, 20], at: 2, after: [10, 20, NOW], others: 0 },
    { where: 'after one from now', list: [10, NOW], at: 2, after: [10, NOW, NOW + 16], others: 0 },
    { where: 'where one makes room', list: [1, 2, 10], at: 1, after: [1, 4, 7, 10], others: 1 },
    {
      where: 'where those before make room',
      list: [1, 9, 10, 11, 12, 13],
      at: 3,
      after: [1, 3, 6, 8, 11, 12, 13],
      others: 2,
    },
  ])('$where has a number there, and few others get one', ({ list, at, after, others }) => {
    const found = place(listed(list), { id: 99, number: 0 }, at)
    expect(found.next.map(({ number }) => number)).toEqual([...after])
    expect(found.others).toBe(others)
  })

  test('is told from its neighbours, wherever todos are put', () => {
    const moves = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 60 })
    const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(gaps, moves, (steps, wanted) => {
        let at = NOW - 100
        let list = listed(steps.map((step) => (at += step)))
        for (const [from, to] of wanted) {
          const [one] = list.splice(from % list.length, 1)
          if (!one) return
          list = place(list, one, to % (list.length + 1)).next
          expect(isSorted(list)).toBe(true)
        }
      }),
    )
  })

  test('costs few others theirs, also when a thousand come to one spot', () => {
    let list = listed([100, 10_000])
    let others = 0
    for (let id = 3; id < 1003; id++) {
      const found = place(list, { id, number: 0 }, 1)
      list = found.next
      others += found.others
      expect(found.others).toBeLessThanOrEqual(MOST_PUSHED)
    }
    expect(others / 1000).toBeLessThan(20)
  })

  test('gets the number of the one before it where too many would have to make room', () => {
    const found = place(listed(Array.from({ length: 2000 }, () => NOW)), { id: 9999, number: 0 }, 1000)
    expect([found.others, found.next[1000]]).toEqual([0, { id: 9999, number: NOW }])
  })
})

describe('a new order', () => {
  test('is that of the numbers then, and changes those of todos that moved', () => {
    const orders = fc
      .uniqueArray(fc.integer({ min: NOW - 1000, max: NOW }), { minLength: 1, maxLength: 60 })
      .chain((numbers) => {
        const list = listed(numbers.toSorted((one, other) => one - other))
        return fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        )
      })
    fc.assert(
      fc.property(orders, ([list, order]) => {
        const ids = (of: readonly Numbered[]) => of.map(({ id }) => id)
        const changed = renumbered(order, movedIn(ids(list), ids(order)), NOW)
        expect(isSorted(order.map(({ id, number }) => ({ id, number: changed.get(id) ?? number })))).toBe(
          true,
        )
      }),
    )
  })

  test('in which one todo has another place changes no other number', () => {
    const list = listed([10, 20, 30, 40, 50])
    const order = [1, 4, 2, 3, 5].map((id) => list[id - 1] ?? { id, number: 0 })
    expect([...renumbered(order, new Set([4]), NOW)]).toEqual([[4, 15]])
  })
})
