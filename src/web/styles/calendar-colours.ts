import type { CSSProperties } from 'react'
import { hexOf, type Oklch, oklchOf } from './oklch'

/** How a calendar's colour shows in one scheme: a pale ground, text on it, and a mark that tells calendars apart. */
export interface Tint {
  readonly ground: string
  readonly text: string
  readonly mark: string
}

/** The hue is what somebody chose; the lightness is ours, so that all colours can be read in both schemes (contract: web.colours). */
export function tintsOf(hex: string): { readonly light: Tint; readonly dark: Tint } {
  const { lightness, chroma, hue } = oklchOf(hex)
  const shade = (light: number, most: number): string =>
    hexOf({ lightness: light, chroma: Math.min(chroma, most), hue } satisfies Oklch)
  return {
    light: {
      ground: shade(0.93, 0.045),
      text: shade(0.34, 0.1),
      mark: shade(Math.min(0.59, Math.max(0.3, lightness)), 0.25),
    },
    dark: {
      ground: shade(0.32, 0.055),
      text: shade(0.92, 0.06),
      mark: shade(Math.max(0.68, lightness), 0.25),
    },
  }
}

/** Custom properties for an element of class `tinted`, by way of React's `style`, which a strict policy allows. */
export function calendarColours(hex: string): CSSProperties {
  const { light, dark } = tintsOf(hex)
  const properties: Readonly<Record<`--${string}`, string>> = {
    '--tint': `light-dark(${light.ground}, ${dark.ground})`,
    '--on-tint': `light-dark(${light.text}, ${dark.text})`,
    '--mark': `light-dark(${light.mark}, ${dark.mark})`,
  }
  return properties
}
