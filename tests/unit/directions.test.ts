import { describe, expect, test } from 'bun:test'
import { assert, constantFrom, property, string } from 'fast-check'
import { line } from '../../src/lib/wire/schema'
import { customProblem } from '../../src/lib/wire/schema-kinds'
import { cleanLine, tidyLine, tidyParagraphs } from '../../src/lib/wire/tidy'
import { withoutStrayDirections } from '../../src/lib/text'

const [LRE, RLE, PDF, LRO, RLO] = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e']
const [LRI, RLI, FSI, PDI] = ['\u2066', '\u2067', '\u2068', '\u2069']

describe('bidirectional controls', () => {
  test('are stripped from texts of several lines too, in each of which isolates end', () => {
    expect(tidyParagraphs(`${RLO}a\n ${LRI}b\n${LRI}c${PDI} ${LRE}d\n`)).toBe(`a\n b\n${LRI}c${PDI} d\n`)
  })

  test.each([
    ['an override and its end', `a${RLO}gnp${PDF}.exe`, 'agnp.exe'],
    ['embeddings', `${LRE}a${PDF}${RLE}b${PDF}${LRO}c${PDF}`, 'abc'],
    ['an isolate that never closes', `a${RLI}b`, 'ab'],
    ['an override in an isolate that never closes', `a${FSI}${RLO}b`, 'ab'],
    ['the end of no isolate', `a${PDI}b${PDI}`, 'ab'],
    ['what stands behind an isolate', `${LRI}a${PDI}${RLO}b`, `${LRI}a${PDI}b`],
    ['the outer of two isolates of which one closes', `${LRI}a${RLI}${RLO}b${PDI}c`, `a${RLI}${RLO}b${PDI}c`],
    ['an isolate that a paragraph separator breaks off', `${LRI}a\u2029${RLO}b${PDI}`, 'a\u2029b'],
  ])('are stripped: %s', (_what, given, kept) => {
    expect(withoutStrayDirections(given)).toBe(kept)
  })

  test.each([
    `${LRI}a${PDI} ${RLI}${RLO}b${PDF}${PDI} ${FSI}c${LRI}${LRE}d${PDI}${PDI}`,
    '\u200ea\u200fb\u061cc',
    'שלום, 東京 🎂',
  ])('stay in isolates that close, and marks always: %j', (text) => {
    expect(withoutStrayDirections(text)).toBe(text)
  })

  test('are stripped once: what is left stays as it is, in order and with all other characters', () => {
    const unit = constantFrom('a', 'ב', ' ', '\u2029', '🎂', LRE, PDF, RLO, LRI, RLI, FSI, PDI)
    assert(
      property(string({ unit }), (text) => {
        const left = withoutStrayDirections(text)
        const others = (whole: string) => whole.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
        expect(others(left)).toBe(others(text))
        expect(withoutStrayDirections(left)).toBe(left)
        const outside = left.replace(/[\u2066-\u2068][^\u2066-\u2069]*\u2069/g, '')
        if (!/[\u2066-\u2069]/.test(outside)) expect(outside).not.toMatch(/[\u202a-\u202e]/)
      }),
    )
  })

  test('are gone before a line is measured', () => {
    expect(customProblem(line({ max: 3 }), `${RLO}abc${PDF}`)).toBeUndefined()
    expect(customProblem(line({ max: 3 }), `${RLO} ${PDI}`)).toBe('must not be empty')
    expect(tidyLine(` ${RLO} a ${PDF} `)).toBe('a')
  })
})

describe('control characters', () => {
  test.each(['\r', '\n', '\r\n', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f', '\v', '\f'])(
    'are refused within a line: %j',
    (control) => {
      expect(customProblem(line({ max: 9 }), `a${control}b`)).toBe('must not contain control characters')
    },
  )

  test('are no matter where they are trimmed, and a tab is none', () => {
    for (const text of ['a\r\n', '\n a', 'a\tb'])
      expect(customProblem(line({ max: 3 }), text)).toBeUndefined()
  })

  test('are spaces in a line of a file', () => {
    expect(cleanLine(`\u0007a\r\n${RLO}b\u001b[31m\tc\0\n`)).toBe('a  b [31m\tc')
  })
})
