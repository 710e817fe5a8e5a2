import { describe, expect, test } from 'bun:test'
import { array, assert, boolean, nat, property, shuffledSubarray } from 'fast-check'
import {
  isBefore,
  isRank,
  isTooLong,
  isWholeOrder,
  movedIn,
  rankBetween,
  ranksFor,
} from '../../src/lib/ordering'

describe('a rank', () => {
  test.each([
    { before: null, after: null, rank: '1' },
    { before: '7', after: null, rank: '8' },
    { before: '7.25', after: null, rank: '8' },
    { before: '-0.5', after: null, rank: '0' },
    { before: null, after: '1', rank: '0' },
    { before: null, after: '-0.5', rank: '-2' },
    { before: '1', after: '3', rank: '2' },
    { before: '1', after: '2', rank: '1.5' },
    { before: '1', after: '1.1', rank: '1.05' },
    { before: '-2', after: '-1', rank: '-1.5' },
    { before: '-1', after: '0', rank: '-0.5' },
    { before: '-1', after: '1', rank: '0' },
    { before: '1.50', after: '1.6', rank: '1.55' },
    { before: '12345678901234567890', after: null, rank: '12345678901234567891' },
  ])('between $before and $after is $rank', ({ before, after, rank }) => {
    expect(rankBetween(before, after)).toBe(rank)
    expect(isRank(rank)).toBe(true)
  })

  test('lies strictly between its neighbours wherever one inserts', () => {
    assert(
      property(array(nat(), { maxLength: 150 }), (places) => {
        const ranks: string[] = []
        for (const at of places.map((place) => place % (ranks.length + 1))) {
          ranks.splice(at, 0, rankBetween(ranks[at - 1] ?? null, ranks[at] ?? null))
        }
        const digits = Math.max(0, ...ranks.map((rank) => rank.split('.')[1]?.length ?? 0))
        const values = ranks.map((rank) => {
          const [whole = '', fraction = ''] = rank.split('.')
          return BigInt(whole + fraction.padEnd(digits, '0'))
        })
        values.slice(1).forEach((value, i) => expect(value > (values[i] ?? value)).toBe(true))
      }),
    )
  })

  test('grows only where one inserts between the same two, and by a digit for three inserts', () => {
    assert(
      property(boolean(), (isFromAbove) => {
        let [low, high] = ['1', '2']
        for (let inserts = 0; inserts < 250; inserts++) {
          const rank = rankBetween(low, high)
          if (isFromAbove) high = rank
          else low = rank
          expect(isTooLong(rank)).toBe(false)
        }
      }),
    )
    let last = rankBetween(null, null)
    for (let appended = 0; appended < 5000; appended++) last = rankBetween(last, null)
    expect(last).toBe('5001')
  })

  test.each(['', '1.', '.5', '1e5', 'NaN', 'Infinity', '+1', ' 1', '1\n', 1, null, '1'.repeat(300)])(
    'is not %j',
    (text) => {
      expect(isRank(text)).toBe(false)
    },
  )
})

test.each([
  { order: [3, 1, 2], whole: true },
  { order: [], whole: false },
  { order: [1, 2], whole: false },
  { order: [1, 2, 2], whole: false },
  { order: [1, 2, 3, 3], whole: false },
  { order: [1, 2, 4], whole: false },
])('$order is a whole order of three: $whole', ({ order, whole }) => {
  expect(isWholeOrder(order, [1, 2, 3])).toBe(whole)
})

describe('what moved from one order to another', () => {
  test.each([
    [[1, 2, 3, 4], [1, 2, 3, 4], []],
    [[1, 2, 3, 4], [4, 1, 2, 3], [4]],
    [[1, 2, 3, 4], [2, 3, 4, 1], [1]],
    [[5, 9, 2, 7], [9, 2, 5, 7], [5]],
    [[], [], []],
  ])('%j to %j is %j', (before, after, moved) => {
    expect([...movedIn(before, after)]).toEqual(moved)
  })

  test('is as little as can be, and all others keep their order', () => {
    const ids = Array.from({ length: 7 }, (_, at) => at)
    /** Of all subsets that keep their order, how many ids the largest has. */
    const most = (order: readonly number[]) =>
      Math.max(
        ...Array.from({ length: 2 ** order.length }, (_one, mask) => {
          const kept = order.filter((_id, at) => mask & (1 << at))
          return kept.every((id, at) => at === 0 || (kept[at - 1] ?? 0) < id) ? kept.length : 0
        }),
      )
    assert(
      property(shuffledSubarray(ids, { minLength: 7 }), (after) => {
        const moved = movedIn(ids, after)
        const kept = after.filter((id) => !moved.has(id))
        expect(kept).toEqual(kept.toSorted((one, other) => one - other))
        expect(kept).toHaveLength(most(after))
      }),
    )
  })
})

describe('the ranks of a new order', () => {
  const rows = Array.from({ length: 150 }, (_one, at) => ({ id: at, rank: String(at) }))

  test.each([7, 150])('put %d rows into it, and are none that a row has', (count) => {
    const list = rows.slice(0, count)
    assert(
      property(shuffledSubarray(list, { minLength: count }), (order) => {
        const ids = order.map(({ id }) => id)
        const changed = ranksFor(list, ids)
        const ranks = new Map([...list, ...changed].map(({ id, rank }) => [id, rank]))
        const after = ids.map((id) => ranks.get(id) ?? '')
        expect(after.every((rank, at) => at === 0 || isBefore(after[at - 1] ?? '', rank))).toBe(true)
        const former = new Set(list.map(({ rank }) => rank))
        expect(changed.filter(({ rank }) => former.has(rank))).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('change for the row that moved alone', () => {
    const [first, ...others] = rows.map(({ id }) => id)
    expect(ranksFor(rows, [...others.slice(0, 9), first ?? 0, ...others.slice(9)])).toEqual([
      { id: 0, rank: '9.5' },
    ])
    expect(
      ranksFor(
        rows,
        rows.map(({ id }) => id),
      ),
    ).toEqual([])
  })
})

describe('isBefore', () => {
  test.each([
    ['1', '2', true],
    ['2', '1', false],
    ['1', '1', false],
    ['1.25', '1.3', true],
    ['-1.5', '-1', true],
    ['9', '10', true],
    ['1', '1.0001', true],
  ])('%s, %s: %p', (one, other, expected) => {
    expect(isBefore(one, other)).toBe(expected)
  })
})
