import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { assert, property, string } from 'fast-check'
import { day, email, line, verbatim } from '../../src/lib/wire/schema'
import { customProblem } from '../../src/lib/wire/schema-kinds'
import { isDay } from '../../src/lib/time/time'

describe('a single line', () => {
  const name = line({ min: 2, max: 4 })

  test('is measured in code points after it is trimmed and composed', () => {
    expect(customProblem(name, '  ab  ')).toBeUndefined()
    expect(customProblem(name, ' a ')).toBe('must be at least 2 characters')
    expect(customProblem(name, '🦊🦊🦊🦊')).toBeUndefined()
    expect(customProblem(name, '🦊🦊🦊🦊🦊')).toBe('must be at most 4 characters')
    expect(customProblem(name, 'e\u0301e\u0301e\u0301e\u0301')).toBeUndefined()
  })

  test('arrives trimmed and composed', () => {
    expect(Value.Decode(name, ' e\u0301x ')).toBe('\u00e9x')
  })

  test('holds nothing that the database cannot store', () => {
    for (const bad of ['a\0b', 'a\ud800b', '\udc00xx']) {
      expect(customProblem(name, bad)).toBe('must not contain U+0000 or lone surrogates')
    }
    expect(customProblem(name, 5)).toBe('must be a string')
    expect(customProblem(line({ max: 4 }), '   ')).toBe('must not be empty')
  })
})

test('a verbatim text arrives as it was sent', () => {
  const password = verbatim({ max: 20 })
  for (const text of [' x ', 'e\u0301', '\n']) expect(Value.Decode(password, text)).toBe(text)
  expect(customProblem(password, 'a\0b')).toBe('must not contain U+0000 or lone surrogates')
})

test('an e-mail address is what the HTML standard says', () => {
  for (const good of ['a@b', 'ada.lovelace+tag@example.co.uk', "o'neil@example.com"]) {
    expect(customProblem(email(), good)).toBeUndefined()
  }
  for (const bad of ['a', '@b', 'a@', 'a b@c', 'a@b@c', 'a@-b', `a@${'b'.repeat(64)}`]) {
    expect(customProblem(email(), bad)).toBe('must be an email address')
  }
})

describe('a day', () => {
  test.each(['1900-01-01', '2200-12-31', '2024-02-29', '2000-02-29'])('%s exists', (text) => {
    expect(isDay(text)).toBe(true)
  })
  test.each([
    '1899-12-31',
    '2201-01-01',
    '2026-02-29',
    '2026-2-1',
    '2026-02-30',
    '20260201',
    '2026-02-01T00:00',
    '',
  ])('%s does not', (text) => {
    expect(customProblem(day(), text)).toBe('must be a day as YYYY-MM-DD')
  })
})

test('no text whatever makes a check throw', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      for (const schema of [line({ max: 9 }), verbatim({ max: 9 }), email(), day()])
        customProblem(schema, text)
    }),
  )
})

test('an answer holds days, and date-times with an offset and not with Z', () => {
  const isOne = (format: string, text: string) => Value.Check(Type.String({ format }), text)
  for (const good of ['2026-03-01T09:00:00+01:00', '1900-01-01T00:00:00.5-11:30']) {
    expect(isOne('date-time', good)).toBe(true)
  }
  for (const bad of [
    '2026-03-01T08:00:00Z',
    '2026-03-01T09:00:00',
    '2026-03-01 09:00:00+01:00',
    '2026-03-01',
  ]) {
    expect(isOne('date-time', bad)).toBe(false)
  }
  expect(['2026-03-01', '2026-3-1', '01/03/2026'].map((text) => isOne('date', text))).toEqual([
    true,
    false,
    false,
  ])
})
