import { expect, test } from 'bun:test'
import { hexOf, oklchOf } from '../../../../src/web/styles/oklch'
import { tintsOf } from '../../../../src/web/styles/calendar-colours'
import { contrast } from '../../../support/contrast'
import { colourTokens } from '../../../support/design-tokens'

/** Every colour whose channels are multiples of 17, as `#rgb` can say them: 4 096. */
const COLOURS = Array.from(
  { length: 16 ** 3 },
  (_, number) => `#${number.toString(16).padStart(3, '0').replace(/./g, '$&$&')}`,
)

const tokens = await colourTokens()
const GROUNDS = ['ground', 'surface', 'raised'] as const

test('text on the tint of any calendar has a contrast of 7 to 1 in both schemes', () => {
  const weak = COLOURS.filter((hex) =>
    Object.values(tintsOf(hex)).some(({ ground, text }) => contrast(ground, text) < 7),
  )
  expect(weak).toEqual([])
})

test('the mark of any calendar has a contrast of 3 to 1 with its tint and with the page in both schemes', () => {
  const weak = COLOURS.flatMap((hex) => {
    const tints = tintsOf(hex)
    return (['light', 'dark'] as const).flatMap((scheme) =>
      [tints[scheme].ground, ...GROUNDS.map((name) => tokens[scheme].get(name) ?? '')]
        .filter((ground) => contrast(tints[scheme].mark, ground) < 3)
        .map((ground) => `${hex} ${scheme} ${ground} ${contrast(tints[scheme].mark, ground)}`),
    )
  })
  expect(weak).toEqual([])
})

test('a calendar keeps the hue that was chosen, unless it is grey', () => {
  const turned = COLOURS.filter((hex) => {
    const chosen = oklchOf(hex)
    if (chosen.chroma < 0.04) return false
    const marks = Object.values(tintsOf(hex)).map(({ mark }) => oklchOf(mark))
    return marks.some(({ hue }) => Math.abs(((hue - chosen.hue + 540) % 360) - 180) > 6)
  })
  expect(turned).toEqual([])
})

test('a colour survives the way into lightness, chroma and hue and back', () => {
  expect(COLOURS.filter((hex) => hexOf(oklchOf(hex)) !== hex)).toEqual([])
})
