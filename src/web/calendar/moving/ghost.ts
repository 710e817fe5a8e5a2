import { readDate, daySpan } from '../../time/days'
import { dayNumber } from '../entries'
import { minuteIn } from '../layout/hours'
import { daysOf, type Draft } from './draft'

/**
 * Shows where something would be if one let go now. It is drawn straight into the page, because rendering hundreds of events at
 * every movement of the pointer would be too slow (contract: web.calendar-moving).
 */
export interface GhostLook {
  readonly zone: string
  readonly label: string
  readonly colour?: string | null | undefined
}

export const ghostIn = (grid: HTMLElement): Element | null => grid.querySelector('.event-ghost')

export function clearGhost(grid: HTMLElement | null): void {
  for (const ghost of grid?.querySelectorAll('.event-ghost') ?? []) ghost.remove()
}

export function drawGhost(grid: HTMLElement, draft: Draft, look: GhostLook): void {
  clearGhost(grid)
  const [first, last] = daysOf(draft, look.zone)
  let isFirst = true
  for (const cell of grid.querySelectorAll<HTMLElement>('[data-date]')) {
    const date = readDate(cell.dataset.date ?? '')
    if (!date) continue
    const day = dayNumber(date)
    if (day < first || day > last) continue
    const hours = cell.querySelector<HTMLElement>('[data-hours]')
    const ghost = ghostOf(look, isFirst)
    if (draft.is === 'timed' && hours) {
      const span = daySpan(date, look.zone)
      const top = minuteIn(span, draft.startMs)
      setPlace(ghost, { '--top': top, '--length': minuteIn(span, draft.endMs) - top })
      hours.append(ghost)
    } else {
      ghost.classList.add('event-ghost-day')
      const place = cell.querySelector('.day-above') ?? cell
      place.append(ghost)
    }
    isFirst = false
  }
}

function ghostOf({ label, colour }: GhostLook, isFirst: boolean): HTMLElement {
  const ghost = document.createElement('div')
  ghost.className = 'event-ghost drawn'
  ghost.ariaHidden = 'true'
  // Its style draws the text, which is no part of the cell's name (see `Drawn`).
  if (isFirst) ghost.dataset['text'] = label
  if (typeof colour === 'string') ghost.style.setProperty('--colour', colour)
  return ghost
}

function setPlace(ghost: HTMLElement, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) ghost.style.setProperty(name, String(value))
}
