import { describe, expect, test } from 'bun:test'
import { contrast } from '../../../support/contrast'
import { colourTokens } from '../../../support/design-tokens'

const SURFACES = ['ground', 'surface', 'raised', 'sunken', 'hover']

/** Which text stands on which ground. */
const TEXT: Readonly<Record<string, readonly string[]>> = {
  text: SURFACES,
  'text-soft': SURFACES,
  accent: SURFACES,
  danger: SURFACES,
  'on-accent': ['accent', 'accent-hover'],
  'on-accent-soft': ['accent-soft'],
  'on-danger': ['danger', 'danger-hover'],
  'on-danger-soft': ['danger-soft'],
  'on-warning-soft': ['warning-soft'],
}

/** What tells controls and states apart, beside what it stands on. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  'line-strong': SURFACES,
  accent: SURFACES,
  danger: [...SURFACES, 'danger-soft'],
  now: SURFACES,
  focus: [...SURFACES, 'accent-soft', 'danger-soft', 'warning-soft'],
}

const tokens = await colourTokens()

for (const scheme of ['light', 'dark'] as const) {
  describe(`in the ${scheme} scheme`, () => {
    const tooWeak = (pairs: typeof TEXT, least: number) =>
      Object.entries(pairs).flatMap(([name, grounds]) =>
        grounds.flatMap((ground) => {
          const found = contrast(tokens[scheme].get(name) ?? '', tokens[scheme].get(ground) ?? '')
          return found >= least ? [] : [`${name} on ${ground}: ${found.toFixed(2)}`]
        }),
      )

    test('every text has a contrast of 4.5 to 1 with each ground on which it stands', () => {
      expect(tooWeak(TEXT, 4.5)).toEqual([])
    })

    test('what tells controls and states apart has a contrast of 3 to 1 with what it stands on', () => {
      expect(tooWeak(MARKS, 3)).toEqual([])
    })
  })
}

test('every colour is either tested for its contrast or an ornament', () => {
  const tested = new Set(
    [...Object.entries(TEXT), ...Object.entries(MARKS)].flatMap(([name, on]) => [name, ...on]),
  )
  expect([...tokens.light.keys()].filter((name) => !tested.has(name))).toEqual(['line'])
})
