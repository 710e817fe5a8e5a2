import { counted, defineMessages } from '../messages/messages'

/** How long before something its message comes. */
export const leadMessages = defineMessages({
  en: {
    atOnce: 'When it begins',
    minutes: (count: number) => `${count} ${counted(count, 'minute', 'minutes')} before`,
    hours: (count: number) => `${count} ${counted(count, 'hour', 'hours')} before`,
    days: (count: number) => `${count} ${counted(count, 'day', 'days')} before`,
    onDay: 'On the day alone',
    onDayAnd: (count: number) => `${count} ${counted(count, 'day', 'days')} before and on the day`,
  },
  de: {
    atOnce: 'Zu Beginn',
    minutes: (count) => `${count} ${counted(count, 'Minute', 'Minuten')} vorher`,
    hours: (count) => `${count} ${counted(count, 'Stunde', 'Stunden')} vorher`,
    days: (count) => `${count} ${counted(count, 'Tag', 'Tage')} vorher`,
    onDay: 'Nur am Tag selbst',
    onDayAnd: (count) => `${count} ${counted(count, 'Tag', 'Tage')} vorher und am Tag selbst`,
  },
})

interface LeadWords {
  readonly atOnce: string
  readonly minutes: (count: number) => string
  readonly hours: (count: number) => string
  readonly days: (count: number) => string
}

export function leadWords(minutes: number, m: LeadWords): string {
  if (minutes === 0) return m.atOnce
  if (minutes % 1440 === 0) return m.days(minutes / 1440)
  return minutes % 60 === 0 ? m.hours(minutes / 60) : m.minutes(minutes)
}
