import { expect, test } from 'bun:test'
import { assert, integer, property, tuple, uint8Array } from 'fast-check'
import { uuidV4Hex, uuidV7 } from '../../src/lib/uuid'

const random = uint8Array({ minLength: 16, maxLength: 16 })

test('a version 4 UUID says so', () => {
  assert(
    property(random, (bytes) => {
      expect(uuidV4Hex(bytes)).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
    }),
  )
})

test('version 7 UUIDs sort by their time and then by their count', () => {
  const moment = tuple(integer({ min: 0, max: 2 ** 48 - 1 }), integer({ min: 0, max: 2 ** 18 - 1 }), random)
  assert(
    property(moment, moment, ([at, count, bytes], [laterAt, laterCount, others]) => {
      const [one, other] = [uuidV7(new Date(at), count, bytes), uuidV7(new Date(laterAt), laterCount, others)]
      expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(one.replace('-', '').slice(0, 12), 16)).toBe(at)
      const expected = at === laterAt ? count - laterCount : at - laterAt
      if (expected !== 0) expect(one < other).toBe(expected < 0)
    }),
  )
})
