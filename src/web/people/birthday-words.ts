import { useLocale, useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { dayTitle } from '../time/format'
import { useToday } from '../time/use-now'
import { ageOn, type NextBirthday, nextBirthday } from './birthdays'

const messages = defineMessages({
  en: {
    age: (age: number) =>
      age === 0 ? 'Less than a year old' : counted(age, '1 year old', `${age} years old`),
    ageAndNext: (age: string, turns: number, when: string) => `${age}, turns ${turns} ${when}`,
    turns: (turns: number) => `turns ${turns}`,
    turnsToday: (turns: number) => `Turns ${turns} today`,
    on: (day: string) => `on ${day}`,
    today: 'today',
    tomorrow: 'tomorrow',
    inDays: (days: number) => `in ${days} days`,
    birthdayToday: 'Birthday today',
    birthday: (when: string) => `Birthday ${when}`,
  },
  de: {
    age: (age) => (age === 0 ? 'Noch kein Jahr alt' : counted(age, '1 Jahr alt', `${age} Jahre alt`)),
    ageAndNext: (age, turns, when) => `${age}, wird ${when} ${turns}`,
    turns: (turns) => `wird ${turns}`,
    turnsToday: (turns) => `Wird heute ${turns}`,
    on: (day) => `am ${day}`,
    today: 'heute',
    tomorrow: 'morgen',
    inDays: (days) => `in ${days} Tagen`,
    birthdayToday: 'Heute Geburtstag',
    birthday: (when) => `Geburtstag ${when}`,
  },
})

/** Further away, a day says more than a number of days. */
const NEAR_DAYS = 30

/** Birthdays in words. */
export function useBirthdayWords() {
  const m = useMessages(messages)
  const locale = useLocale()
  const today = useToday()
  const away = (inDays: number) => [m.today, m.tomorrow][inDays] ?? m.inDays(inDays)
  const when = ({ date }: NextBirthday) => {
    const inDays = today.until(date).days
    return inDays > NEAR_DAYS ? m.on(dayTitle(date, locale)) : away(inDays)
  }
  return {
    away,
    turns: m.turns,
    /** How old somebody is, and what comes next. */
    about: (birthday: string): string => {
      const [age, next] = [ageOn(birthday, today), nextBirthday(birthday, today)]
      const isToday = next.date.equals(today)
      if (age === undefined || next.turns === undefined)
        return isToday ? m.birthdayToday : m.birthday(when(next))
      return isToday ? m.turnsToday(next.turns) : m.ageAndNext(m.age(age), next.turns, when(next))
    },
  }
}
