import { expect, test } from 'bun:test'

test('an expectation of a date is one, however deep it stands', () => {
  const [early, late] = [new Date(0), new Date(5)]
  expect({ a: [{ at: early, more: 1 }] }).toMatchObject({ a: [{ at: new Date(0) }] })
  expect(() => expect({ a: [{ at: early }] }).toMatchObject({ a: [{ at: late }] })).toThrow()
  expect(() => expect({ a: 1 }).toMatchObject({ b: 1 })).toThrow()
})
