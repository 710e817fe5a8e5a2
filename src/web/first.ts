import { isEnterAddress } from './app/addresses'

/** The files that show the page of an address, by the first part of its path; `build.ts` puts them in. */
declare const AHEAD: ReadonlyArray<readonly [place: string, files: readonly string[]]>

// Runs before the first paint, so that the page never shows in the wrong colours or direction.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') {
  document.documentElement.dataset.theme = theme
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    bar.media = bar.dataset['scheme'] === theme ? 'all' : 'not all'
}

// What shows the page is asked for at once, not by the files that need it.
const files = new Map(AHEAD)
const { pathname } = location
const place = isEnterAddress(pathname) ? 'sign-in' : (pathname.split('/')[1] ?? '')
for (const path of files.get(place) ?? files.get('') ?? []) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = path
  link.fetchPriority = 'low'
  document.head.append(link)
}
