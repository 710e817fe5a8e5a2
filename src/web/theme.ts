// Runs before the first paint, so that the page never shows in the wrong colours or direction.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') {
  document.documentElement.dataset.theme = theme
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    bar.media = bar.dataset['scheme'] === theme ? 'all' : 'not all'
}
