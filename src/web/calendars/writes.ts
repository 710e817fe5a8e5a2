import type { FeedView } from '../../features/calendars/feeds/model'
import { type Answer, call, pathOf } from '../api/call'
import { randomKey } from '../api/random'
import type { ImportReport, Upload } from '../parts/use-file-import'

export const makeFeed = (id: number): Promise<Answer<FeedView>> => call('POST', pathOf`calendars/${id}/feed`)

export const endFeed = (id: number): Promise<Answer<undefined>> =>
  call('DELETE', pathOf`calendars/${id}/feed`)

export const importCalendar = (
  id: number,
  { file, isRehearsal, signal }: Upload,
): Promise<Answer<ImportReport>> =>
  call('POST', `${pathOf`calendars/${id}/import`}${isRehearsal ? '?dry_run=true' : ''}`, {
    // Systems name the type of such a file differently, or not at all.
    body: new Blob([file], { type: 'text/calendar' }),
    signal,
    ...(!isRehearsal && { idempotencyKey: randomKey() }),
  })

/** The first day that a calendar file has something on; undefined when no start can be read. */
export function firstDayOf(text: string): Temporal.PlainDate | undefined {
  const starts = [...text.matchAll(/^BEGIN:VEVENT[\s\S]*?^DTSTART[^:\r\n]*:(\d{8})/gim)].map(
    ([, day = '']) => day,
  )
  const first = starts.toSorted()[0]
  if (first === undefined) return undefined
  try {
    return Temporal.PlainDate.from(first)
  } catch {
    return undefined
  }
}
