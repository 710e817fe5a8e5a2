import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { merge } from '../../../../src/web/store/merge'

const value = fc.constantFrom('a', 'b', 'c', null)
const record = fc.record({ title: value, description: value, location: value })
const part = fc.record({ title: value, description: value, location: value }, { requiredKeys: [] })
const names = ['title', 'description', 'location'] as const

describe('a three-way merge', () => {
  test('keeps every change of either side, and asks exactly where both changed a field in different ways', () => {
    fc.assert(
      fc.property(record, part, record, (opened, mine, theirs) => {
        const { fields, clashes } = merge({ kind: 'todo', opened, mine, theirs })
        const asked = clashes.flatMap((clash) => clash.fields)
        const result: Record<string, unknown> = { ...theirs, ...fields }
        for (const name of names) {
          const [before, now] = [opened[name], theirs[name]]
          const wanted = name in mine ? mine[name] : before
          const isClash = wanted !== before && now !== before && wanted !== now
          expect([name, asked.includes(name)]).toEqual([name, isClash])
          if (!isClash) expect([name, result[name]]).toEqual([name, wanted === before ? now : wanted])
        }
      }),
    )
  })

  test('changes nothing where nobody else did', () => {
    fc.assert(
      fc.property(record, part, (opened, mine) => {
        expect(merge({ kind: 'todo', opened, mine, theirs: opened })).toEqual({ fields: mine, clashes: [] })
      }),
    )
  })

  test('takes start and end of an event together', () => {
    const opened = { title: 'Lunch', start_at: '12:00', end_at: '13:00', all_day: false }
    const { fields, clashes } = merge({
      kind: 'event',
      opened,
      mine: { title: 'Late lunch', start_at: '13:00' },
      theirs: { ...opened, end_at: '12:30' },
    })
    expect(fields).toEqual({ title: 'Late lunch', start_at: '13:00' })
    expect(clashes).toMatchObject([
      { mine: { start_at: '13:00' }, theirs: { start_at: '12:00', end_at: '12:30' } },
    ])
  })
})

test('the same times written with another offset are the same', () => {
  const opened = { start_at: '2026-03-10T12:00:00+01:00', end_at: '2026-03-10T13:00:00+01:00' }
  const mine = { start_at: '2026-03-10T14:00:00+01:00', end_at: '2026-03-10T15:00:00+01:00' }
  const theirs = { start_at: '2026-03-10T13:00:00Z', end_at: '2026-03-10T14:00:00Z' }
  expect(merge({ kind: 'event', opened, mine, theirs }).clashes).toEqual([])
  const others = { ...theirs, end_at: '2026-03-10T14:30:00Z' }
  expect(merge({ kind: 'event', opened, mine, theirs: others }).clashes).toHaveLength(1)
})
