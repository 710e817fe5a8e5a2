import { expect, test } from 'bun:test'
import { remembered } from '../../src/lib/remembered'

const squares = (maxKeys: number) => {
  const made: number[] = []
  const square = remembered(maxKeys, (key: number) => {
    made.push(key)
    if (key < 0) throw new Error('negative')
    return key * key
  })
  return { made, square }
}

test('what was made once is not made again', () => {
  const { made, square } = squares(2)
  expect([square(2), square(3), square(2)]).toEqual([4, 9, 4])
  expect(made).toEqual([2, 3])
})

test('one key more than there may be begins anew', () => {
  const { made, square } = squares(2)
  for (const key of [1, 2, 3, 3, 1]) square(key)
  expect(made).toEqual([1, 2, 3, 1])
})

test('what was thrown is not remembered', () => {
  const { made, square } = squares(2)
  for (let time = 0; time < 2; time++) expect(() => square(-1)).toThrow('negative')
  expect(made).toEqual([-1, -1])
})
