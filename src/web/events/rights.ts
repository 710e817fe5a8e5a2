import type { EventView } from '../../features/events/events/model'

/** Only who may write to its calendar edits an event; guests and readers see it. */
export const isReadOnly = ({ access, is_virtual: isVirtual }: EventView): boolean =>
  access === 'read' || isVirtual
