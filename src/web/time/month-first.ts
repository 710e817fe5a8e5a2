/** Whether digits alone put the month first, as this browser's region writes them; German never does. */
export function isMonthFirst(locale: string): boolean {
  const region = locale.startsWith('en') ? navigator.language : locale
  const parts = new Intl.DateTimeFormat(region).formatToParts()
  const place = (type: string) => parts.findIndex((part) => part.type === type)
  return region.startsWith('en') && place('month') < place('day')
}
