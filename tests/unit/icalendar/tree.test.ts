import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  componentsOf,
  isComponent,
  lineEndOf,
  printText,
  splitText,
  type TextComponent,
  unfolded,
  withProperties,
} from '../../../src/lib/icalendar/tree'
import { APPLE, GOOGLE, OUTLOOK, THUNDERBIRD } from '../../support/calendar-producers'

const CORPUS = [GOOGLE, APPLE, OUTLOOK, THUNDERBIRD]

const pieces = fc.constantFrom(
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'begin:vevent',
  'END:VEVENT',
  'END:VCALENDAR',
  'END:VALARM',
  'SUMMARY:A',
  'SUMMARY;LANGUAGE=de:Ä',
  'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:a=',
  ' folded',
  '\tfolded',
  '',
  ' ',
  'no colon',
  'X-Ä:1',
  '\ufeff',
)
const wild = fc
  .array(fc.tuple(pieces, fc.constantFrom('\r\n', '\n', '\r', '')))
  .map((lines) => lines.map(([line, end]) => line + end).join(''))

/** A file of the corpus with something cut out, doubled or put in. */
const mutated = fc
  .tuple(fc.constantFrom(...CORPUS), fc.nat(), fc.nat(120), fc.oneof(fc.string(), pieces, fc.constant('')))
  .map(([file, at, length, put]) => {
    const from = at % file.length
    return file.slice(0, from) + put + file.slice(from + length)
  })

const anyText = fc.oneof(wild, mutated, fc.constantFrom(...CORPUS), fc.string())

const eventOf = (file: string): TextComponent => {
  const [calendar] = componentsOf(splitText(file), 'VCALENDAR')
  const [event] = componentsOf(calendar?.parts ?? [], 'VEVENT')
  if (!event) throw new Error('no event')
  return event
}

describe('Split text', () => {
  test('prints as it was, whatever it was', () => {
    fc.assert(
      fc.property(anyText, (text) => expect(printText(splitText(text))).toBe(text)),
      { numRuns: 2000 },
    )
  })

  test('of real files has every event, and lines with their folds', () => {
    for (const file of CORPUS) {
      const calendars = componentsOf(splitText(file), 'VCALENDAR')
      const events = calendars.flatMap(({ parts }) => componentsOf(parts, 'VEVENT'))
      expect(events.length).toBe([...file.matchAll(/^BEGIN:VEVENT/gm)].length)
      for (const { parts } of events) {
        for (const part of parts) expect(isComponent(part) || part.name !== '').toBe(true)
      }
    }
  })

  test('keeps a line together over folds, empty lines in folds and soft breaks', () => {
    const text =
      'BEGIN:VEVENT\nSUMMARY:a\n \n b\n\n c\nDESCRIPTION;QUOTED-PRINTABLE:d=\ne=\n\nUID:u\nEND:VEVENT\n'
    const [event] = componentsOf(splitText(text), 'VEVENT')
    expect(event?.parts.map(({ name }) => name)).toEqual(['SUMMARY', 'DESCRIPTION', 'UID'])
  })

  test('a million nested components or soft breaks take no time', () => {
    for (const text of [
      'BEGIN:X\n'.repeat(130_000),
      `A;QUOTED-PRINTABLE:${'=\n'.repeat(500_000)}`,
      '\n '.repeat(500_000),
    ])
      expect(printText(splitText(text))).toBe(text)
  })
})

describe('Replacing properties', () => {
  test('of any real event changes only their lines', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CORPUS),
        fc.subarray(['SUMMARY', 'DTSTART', 'X-NEW', 'DESCRIPTION'], { minLength: 1 }),
        (file, names) => {
          const before = eventOf(file)
          const after = withProperties(before, names, ['SUMMARY:New\r\n', 'X-NEW:1\r\n'])
          const others = (component: TextComponent) =>
            component.parts
              .filter((part) => isComponent(part) || ![...names, 'SUMMARY', 'X-NEW'].includes(part.name))
              .map((part) => printText([part]))
          expect(others(after)).toEqual(others({ ...before, parts: before.parts }))
          expect([after.begin, after.end]).toEqual([before.begin, before.end])
        },
      ),
    )
  })

  test('puts a line in the place of the former one, and a new one before nested components', () => {
    const event = splitText(
      'BEGIN:VEVENT\nA:1\nB:2\nC:3\nBEGIN:VALARM\nB:4\nEND:VALARM\nD:5\nEND:VEVENT\n',
    ).at(0)
    if (!event || !isComponent(event)) throw new Error('no event')
    expect(printText(withProperties(event, ['B'], ['B:9\n']).parts)).toBe(
      'A:1\nB:9\nC:3\nBEGIN:VALARM\nB:4\nEND:VALARM\nD:5\n',
    )
    expect(printText(withProperties(event, ['E'], ['E:9\n']).parts)).toBe(
      'A:1\nB:2\nC:3\nE:9\nBEGIN:VALARM\nB:4\nEND:VALARM\nD:5\n',
    )
  })

  test('knows the line end of the text, and lines without their folds', () => {
    expect(['a\nb\r\n', 'a\r\n', 'a', 'a\rb'].map(lineEndOf)).toEqual(['\n', '\r\n', '\r\n', '\r'])
    expect(unfolded('SUMMARY:a\r\n  b\r\n\tc\r\n')).toBe('SUMMARY:a bc')
  })
})
