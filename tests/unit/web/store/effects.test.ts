import { expect, test } from 'bun:test'
import type { Effect } from '../../../../src/web/store/commands'
import { concerns, inverseOf } from '../../../../src/web/store/effects'

const named = (at: string) => ({ kind: 'event' as const, id: 1, at })
const from = (at: string, onwards?: true): Effect => ({
  ...named(at),
  ...(onwards && { onwards }),
  is: 'patch',
  fields: { title: 'Choir' },
})

test('a change of an occurrence and what follows concerns the later ones, whatever their offsets', () => {
  const starts = ['2026-03-22T19:00:00+01:00', '2026-03-29T19:00:00+02:00', '2026-04-05T19:00:00+02:00']
  const [, second = ''] = starts
  expect(starts.map((at) => concerns(from(second), named(at)))).toEqual([false, true, false])
  expect(starts.map((at) => concerns(from(second, true), named(at)))).toEqual([false, true, true])
  const days = ['2026-03-01', '2026-03-08', '2026-03-15']
  expect(days.map((at) => concerns(from('2026-03-08', true), named(at)))).toEqual([false, true, true])
})

test('undoing it concerns the later ones, too', () => {
  expect(inverseOf([from('2026-03-08', true)], () => ({ title: 'Practice' }))).toEqual([
    { ...named('2026-03-08'), onwards: true, is: 'patch', fields: { title: 'Practice' } },
  ])
})
