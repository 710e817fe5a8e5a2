import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type Asking, understand } from '../../../../src/web/quick-add/understand'
import { asking, said } from './said'
import { GERMAN } from './vectors.de'
import { ENGLISH } from './vectors.en'

describe('a line in English is understood as people mean it, and keeps its words where they could mean something else', () => {
  test.each(ENGLISH)('%s', (line, expected) => expect(said(line, 'en')).toBe(expected))
})

describe('a line in German is understood as people mean it, and keeps its words where they could mean something else', () => {
  test.each(GERMAN)('%s', (line, expected) => expect(said(line, 'de')).toBe(expected))
})

test('the order of day and month is that of the locale', () => {
  expect(said('Dentist 3/12/2026 9:00', 'en')).toBe('event Dentist | 2026-12-03 09:00 – 10:00')
  expect(said('Dentist 3/12/2026 9:00', 'en', { dayFirst: false })).toBe(
    'event Dentist | 2026-03-12 09:00 – 10:00',
  )
  expect(said('Dentist 2026-12-03 9:00', 'en', { dayFirst: false })).toBe(
    'event Dentist | 2026-12-03 09:00 – 10:00',
  )
})

test('what the chosen kind cannot hold stays in the title', () => {
  const as = (kind: 'event' | 'todo' | 'reminder', line: string) => said(line, 'en', { kind })
  expect(as('todo', 'Lunch tomorrow 12:30 at Luigi’s')).toBe('todo Lunch at Luigi’s | 2026-11-24 12:30')
  expect(as('todo', 'Fair 3–7 August')).toBe('todo Fair 3–7 August')
  expect(as('todo', 'Brunch every 2nd Sunday')).toBe('todo Brunch every 2nd Sunday')
  expect(as('reminder', 'Bins tomorrow #work')).toBe('reminder Bins #work | 2026-11-24 09:00')
  expect(as('event', 'Milk')).toBe('event Milk | 2026-11-23')
})

test('a rejected piece stays text, and what stands before it is still understood', () => {
  const without = (...keys: string[]) => said('Lunch tomorrow 12:30', 'en', { rejected: new Set(keys) })
  expect(without('time 12:30')).toBe('todo Lunch 12:30 | 2026-11-24')
  expect(without('date tomorrow')).toBe('event Lunch tomorrow | 2026-11-23 12:30 – 13:30')
  expect(without('time 12:30', 'date tomorrow')).toBe('todo Lunch tomorrow 12:30')
})

const words = fc.constantFrom(
  ...'Lunch with Sam tomorrow today Friday friday every 2nd Sunday weekly 12:30 9-10am at 9 Café Luna in Room 3 #work #home'.split(' '),
  ...'for 2 h hours remind me to todo: by due on the 5th 3 Dec December 2026-12-01 3/12 from , ; @ @Luna @ Luna'.split(' '),
  ...'morgen jeden Montag um Uhr halb bis Freitag am 3.12. von für Stunden erinnere mich an Aufgabe: alle Wochen im Monat'.split(' '),
) // prettier-ignore
const lines = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '))
const spaced = fc
  .tuple(lines, fc.constantFrom('', ' ', '  '))
  .map(([line, space]) => `${space}${line}${space}`)

test('removing every piece gives back the text that was typed', () => {
  const check = (language: 'en' | 'de', line: string, kind: Asking['kind']) => {
    const rejected = new Set<string>()
    for (;;) {
      const { pieces, title } = understand(line, asking(language, { rejected, kind }))
      const [first] = pieces
      if (!first) return expect(title).toBe(line.trim())
      expect(rejected.has(first.key)).toBe(false)
      rejected.add(first.key)
    }
  }
  fc.assert(
    fc.property(
      fc.constantFrom('en' as const, 'de' as const),
      fc.oneof(lines, spaced, fc.string()),
      fc.constantFrom(undefined, 'event' as const, 'todo' as const, 'reminder' as const),
      check,
    ),
    { numRuns: 2000 },
  )
})

test('every word of the line is either in the title or in a piece', () => {
  fc.assert(
    fc.property(fc.constantFrom('en' as const, 'de' as const), lines, (language, line) => {
      const { pieces, title } = understand(line, asking(language))
      const kept = [...title.split(/\s+/), ...pieces.flatMap((piece) => piece.words.split(/\s+/))]
      const plain = (list: readonly string[]) =>
        list
          .map((word) => word.replace(/[,;]$/, ''))
          .filter(Boolean)
          .toSorted()
      expect(plain(kept)).toEqual(plain(line.split(/\s+/)))
      expect(title === '').toBe(line.trim() === '')
    }),
    { numRuns: 2000 },
  )
})
