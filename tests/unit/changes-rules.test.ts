import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type Cursor, readCursor, writeCursor } from '../../src/features/overview/changes/rules.cursor'
import { TYPES } from '../../src/features/overview/changes/rules.types'

const number = fc.oneof(fc.nat(), fc.maxSafeNat())

const cursors: fc.Arbitrary<Cursor> = fc.record({
  journal: fc.stringMatching(/^[0-9a-f]{32}-[0-9a-f]{12}$/),
  userId: fc.nat(),
  types: fc.subarray([...TYPES]),
  places: fc.array(
    fc.record({
      kind: fc.constantFrom('u' as const, 'c' as const),
      id: fc.nat(),
      position: number,
      target: fc.option(number),
      isFirst: fc.boolean(),
    }),
    { minLength: 1 },
  ),
})

test('a cursor reads as it was written, in characters that a query holds as they are', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const text = writeCursor(cursor)
      expect(readCursor(text)).toEqual(cursor)
      expect(new URLSearchParams({ text }).toString()).toBe(`text=${text}`)
      expect(text).not.toContain('.')
    }),
  )
})

test('a cursor of another version is none', () => {
  expect(readCursor('2*a*1*-*u1-1')).toBeUndefined()
})
