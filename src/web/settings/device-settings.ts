import { useSyncExternalStore } from 'react'

/** Settings of this device, kept in the browser: they hold before anybody signs in. */
const DEFAULTS = {
  theme: 'system',
  'single-letter-shortcuts': 'on',
  'second-step': 'offered',
} as const

interface DeviceSettings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly 'single-letter-shortcuts': 'on' | 'off'
  /** What Today offers to set up next. */
  readonly 'second-step': 'offered' | 'dismissed'
}

const ALLOWED: { readonly [K in keyof DeviceSettings]: ReadonlyArray<DeviceSettings[K]> } = {
  theme: ['system', 'light', 'dark'],
  'single-letter-shortcuts': ['on', 'off'],
  'second-step': ['offered', 'dismissed'],
}

const listeners = new Set<() => void>()

export function readDeviceSetting<K extends keyof DeviceSettings>(key: K): DeviceSettings[K] {
  const kept = localStorage.getItem(key)
  return ALLOWED[key].find((value) => value === kept) ?? DEFAULTS[key]
}

export function changeDeviceSetting<K extends keyof DeviceSettings>(key: K, value: DeviceSettings[K]): void {
  localStorage.setItem(key, value)
  apply()
}

/** `first.ts` does the same before the first paint. */
function apply(): void {
  const theme = readDeviceSetting('theme')
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  colourBrowser(theme)
  for (const listener of listeners) listener()
}

/** The browser's own bar has the colour of the page (contract: web.theme). */
function colourBrowser(theme: DeviceSettings['theme']): void {
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const scheme = bar.dataset['scheme']
    const chosen = scheme === theme ? 'all' : 'not all'
    bar.media = theme === 'system' ? `(prefers-color-scheme: ${scheme})` : chosen
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // The event comes from other tabs only.
  addEventListener('storage', apply)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', apply)
  }
}

export const useDeviceSetting = <K extends keyof DeviceSettings>(key: K): DeviceSettings[K] =>
  useSyncExternalStore(subscribe, () => readDeviceSetting(key))
