import { ICON_PATHS } from './icon-paths'

export type IconName = keyof typeof ICON_PATHS

/** Those that point along a line of text, and turn round where it runs from right to left. */
const DIRECTED: ReadonlySet<IconName> = new Set([
  'chevron-left',
  'chevron-right',
  'sign-out',
  'undo',
  'leave',
])

/** An ornament in the colour and size of its text. It says nothing to a screen reader: its control has a name of its own. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-directed={DIRECTED.has(name) || undefined}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}
