import { lineNamed, paramsOf, type Outline } from '../../lib/icalendar/outline'
import { readDuration, type TextDuration } from '../../lib/icalendar/duration'
import { DAY_MS } from '../../lib/time/wall-time'
import type { Instance } from './instances'
import { after, lengthOf, type TimeRange } from './moments'
import type { CalendarObject } from './object'
import { effectiveEnd } from './overlap'

/** When an alarm triggers: at an instant, or so long after the start or the end of what it belongs to. */
interface Alarm {
  readonly at: number | undefined
  readonly relative: { readonly by: TextDuration; readonly isToEnd: boolean } | undefined
  /** How often it triggers again, each time so many milliseconds later. */
  readonly repeat: number
  readonly pause: number
}

function readAlarm(component: Outline, object: CalendarObject): Alarm | undefined {
  const line = lineNamed(component, 'TRIGGER')
  if (!line) return undefined
  const by = readDuration(line.value)
  const at = by ? undefined : object.moment(line)?.instant
  if (!by && at === undefined) return undefined
  const isToEnd = paramsOf(line).get('RELATED')?.[0]?.trim().toUpperCase() === 'END'
  return { at, relative: by && { by, isToEnd }, ...readRepeat(component) }
}

/** REPEAT counts only beside DURATION. */
function readRepeat(component: Outline): Pick<Alarm, 'repeat' | 'pause'> {
  const pause = readDuration(lineNamed(component, 'DURATION')?.value ?? '')
  const repeat = lineNamed(component, 'REPEAT')?.value.trim() ?? ''
  return pause && /^\d{1,9}$/.test(repeat)
    ? { repeat: Number(repeat), pause: lengthOf(pause) }
    : { repeat: 0, pause: 0 }
}

/** Whether one of the triggers from `first` on is in the range. */
function triggers({ repeat, pause }: Alarm, first: number, { from, until }: TimeRange): boolean {
  const isRepeated = repeat > 0 && pause > 0
  const skipped = isRepeated ? Math.max(0, Math.ceil((from - first) / pause)) : 0
  const trigger = first + skipped * pause
  return skipped <= repeat && from <= trigger && until > trigger
}

/** The first trigger of a relative alarm; a todo without DTSTART has them relative to DUE, as Apple's have. */
function firstTrigger({ relative }: Alarm, instance: Instance): number | undefined {
  const base = relative?.isToEnd ? effectiveEnd(instance) : (instance.start ?? instance.end)
  return base === undefined || !relative ? undefined : after(base, relative.by, instance.clock)
}

/** Whether an alarm triggers within a range, and for which starts of its component this can be said. */
export interface AlarmTest {
  /** Whether it triggers at all, where that does not depend on its component. */
  readonly absolute: boolean | undefined
  /** The range in which a component starts, or ends, whose alarm triggers within the range. */
  readonly near: TimeRange
  readonly triggersFor: (instance: Instance) => boolean
}

/** Undefined for an alarm that has no trigger. */
export function alarmTest(
  component: Outline,
  range: TimeRange,
  object: CalendarObject,
): AlarmTest | undefined {
  const alarm = readAlarm(component, object)
  if (!alarm) return undefined
  const { at, relative, repeat, pause } = alarm
  const offset = relative ? lengthOf(relative.by) : 0
  return {
    absolute: at === undefined ? undefined : triggers(alarm, at, range),
    near: { from: range.from - offset - repeat * pause - DAY_MS, until: range.until - offset + DAY_MS },
    triggersFor(instance) {
      const first = firstTrigger(alarm, instance)
      return first !== undefined && triggers(alarm, first, range)
    },
  }
}
