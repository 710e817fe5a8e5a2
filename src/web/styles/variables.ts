import type { CSSProperties } from 'react'

/** Custom properties as a style. React sets them one by one through the CSSOM, which the page's policy allows. */
export const cssVariables = (
  values: Readonly<Record<`--${string}`, string | number | undefined>>,
): CSSProperties => values
