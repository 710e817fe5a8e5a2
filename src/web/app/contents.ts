import type { ComponentType } from 'react'
import type { IconName } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import type { MainPlace, PlaceName } from './places'

/** A page of the client, fetched when somebody goes to it. */
export interface Page {
  readonly pattern: string
  /** The address of what opens beside it, by `DetailLayout`. */
  readonly detail?: string
  /** The link of the navigation that is current on it; search and trash belong to none. */
  readonly place?: PlaceName
  readonly component: ComponentType
}

/** Something that the button "New" makes. */
export interface Creation {
  readonly name: 'event' | 'todo' | 'reminder' | 'project' | 'person' | 'calendar'
  readonly icon: IconName
  readonly run: () => void
}

/** What the frame holds. A place without a page has no link. */
export interface FrameContents {
  readonly pages: readonly Page[]
  readonly creations: readonly Creation[]
  /** Below the navigation of a wide screen: the mini-month, the calendars. */
  readonly Sidebar?: ComponentType
}

/** What the frame offers, of which the palette makes its commands. */
export interface CommandSources {
  readonly contents: FrameContents
  readonly places: readonly MainPlace[]
  readonly accountActions: readonly MenuAction[]
}
