import { type DateForms, readDay, shownDate } from '../events/draft'

/** A day as a field shows it, and as it can be typed again; empty when there is none. */
export const shownDay = (day: string | null, { locale }: DateForms): string =>
  day === null ? '' : shownDate(Temporal.PlainDate.from(day), locale)

/** What a typed day stands for: null for none, undefined for what is no date. */
export const typedDay = (text: string, forms: DateForms): string | null | undefined =>
  text.trim() === '' ? null : readDay(text, forms)?.toString()
