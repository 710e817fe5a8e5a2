import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'

/** What a user agent says of itself; several products at once, so the first of these that is there counts. */
const BROWSERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const SYSTEMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

interface DeviceParts {
  readonly browser: string | undefined
  readonly system: string | undefined
}

/** The browser and the system that a user agent names; a program that is no browser counts as one (`curl/8.5` is `curl`). */
export function devicePartsOf(userAgent: string): DeviceParts {
  const find = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const program = /^(?!Mozilla\/)[\w .-]+(?=\/|$)/.exec(userAgent)?.[0].trim()
  return { browser: find(BROWSERS) ?? (program || undefined), system: find(SYSTEMS) }
}

const messages = defineMessages({
  en: {
    both: (browser: string, system: string) => `${browser} on ${system}`,
    one: (name: string) => name,
    unknown: 'Unknown device',
  },
  de: {
    both: (browser, system) => `${browser} (${system})`,
    one: (name) => name,
    unknown: 'Unbekanntes Gerät',
  },
})

/** Names a device by its user agent: "Firefox on Linux". */
export function useDeviceName(): (userAgent: string | null) => string {
  const m = useMessages(messages)
  return (userAgent) => {
    const { browser, system } = devicePartsOf(userAgent ?? '')
    if (browser !== undefined && system !== undefined) return m.both(browser, system)
    const known = browser ?? system
    return known === undefined ? m.unknown : m.one(known)
  }
}
