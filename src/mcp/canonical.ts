/** JSON in which the members of objects are sorted, so that equal values give equal texts. */
export const canonical = (value: unknown): string => JSON.stringify(value, sorted)

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
