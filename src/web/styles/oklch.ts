/** A colour by lightness (0 to 1), chroma and hue in degrees, which change apart from each other for the eye (CSS Color 4, section 9). */
export interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

type Triple = readonly [number, number, number]

/** Linear light of a channel from 0 to 1 (IEC 61966-2-1). */
const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
const encoded = (light: number) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

const times = (matrix: readonly [Triple, Triple, Triple], [a, b, c]: Triple): Triple => {
  const row = ([x, y, z]: Triple) => x * a + y * b + z * c
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

/** The matrices of Björn Ottosson's Oklab. */
const TO_LMS = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
] as const
const TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
] as const
const FROM_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
] as const
const FROM_LMS = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
] as const

/** Reads `#rrggbb`. */
export function oklchOf(hex: string): Oklch {
  const channel = (start: number) => linear(Number.parseInt(hex.slice(start, start + 2), 16) / 255)
  const [l, m, s] = times(TO_LMS, [channel(1), channel(3), channel(5)])
  const [lightness, a, b] = times(TO_LAB, [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)])
  return { lightness, chroma: Math.hypot(a, b), hue: (Math.atan2(b, a) * 180) / Math.PI }
}

/** Writes `#rrggbb`. A colour that no screen shows loses chroma until one does; its lightness stays, on which contrast rests. */
export function hexOf({ lightness, chroma, hue }: Oklch): string {
  const turn = (hue * Math.PI) / 180
  const [l, m, s] = times(FROM_LAB, [lightness, chroma * Math.cos(turn), chroma * Math.sin(turn)])
  const light = times(FROM_LMS, [l ** 3, m ** 3, s ** 3])
  const isShown = light.every((each) => each > -0.0005 && each < 1.0005)
  if (!isShown && chroma > 0.001) return hexOf({ lightness, chroma: chroma * 0.95, hue })
  const bytes = light.map((each) => Math.round(encoded(Math.min(1, Math.max(0, each))) * 255))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
