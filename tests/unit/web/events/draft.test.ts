import { expect, test } from 'bun:test'
import type { NewEvent } from '../../../../src/features/events/events/model'
import { changedParts, changesOf } from '../../../../src/web/events/changes'
import { newDraft, readDay, readDraft, shownDate, withStart } from '../../../../src/web/events/draft'

const forms = { today: Temporal.PlainDate.from('2026-03-04'), monthFirst: false, locale: 'en-GB' }
const span = {
  allDay: false,
  start: Temporal.PlainDateTime.from('2026-03-10T22:30'),
  end: Temporal.PlainDateTime.from('2026-03-11T00:30'),
} as const
const draft = newDraft({ title: 'Train', span, timeZone: 'Europe/Berlin', calendarId: 1 }, forms)

test('every day is shown so that it is read again as the same day, in both languages and both orders', () => {
  for (const locale of ['en-GB', 'de-DE'])
    for (const monthFirst of [false, true])
      for (let day = forms.today; day.year < 2028; day = day.add({ days: 1 }))
        expect(readDay(shownDate(day, locale), { ...forms, locale, monthFirst })?.equals(day)).toBe(true)
})

test('the end follows the start letter by letter, also while the start cannot be read', () => {
  let typed = draft
  for (let letters = 0; letters <= 10; letters += 1)
    typed = withStart(typed, { startDate: '2026-12-24'.slice(0, letters) }, forms)
  for (let letters = 0; letters <= 5; letters += 1)
    typed = withStart(typed, { startTime: '09:30'.slice(0, letters) }, forms)
  const read = readDraft(typed, forms)
  expect('body' in read && read.body).toMatchObject({
    start_at: '2026-12-24T09:30:00',
    end_at: '2026-12-24T11:30:00',
  })
})

const event: NewEvent = {
  title: 'Lunch',
  calendar_id: 1,
  all_day: false,
  start_at: '2026-03-10T12:00:00',
  end_at: '2026-03-10T13:00:00',
  time_zone: 'Europe/Berlin',
  location: null,
}

test('a change sends only what was changed, and times together', () => {
  const after = { ...event, start_at: '2026-03-10T12:30:00', location: 'Café Luna' }
  expect(changesOf(after, changedParts(event, after))).toEqual({
    all_day: false,
    start_at: '2026-03-10T12:30:00',
    end_at: '2026-03-10T13:00:00',
    time_zone: 'Europe/Berlin',
    location: 'Café Luna',
  })
  expect(changedParts(event, { ...event })).toEqual([])
})
