import { expect, test } from 'bun:test'
import {
  ageOn,
  nextBirthday,
  readBirthday,
  shownBirthday,
  upcomingBirthdays,
} from '../../../../src/web/people/birthdays'
import type { PersonView } from '../../../../src/features/people/people/model'

const day = (text: string) => Temporal.PlainDate.from(text)
const today = day('2026-03-04')
const forms = { today, monthFirst: false }

test('a birthday is typed with its year or without, in all the ways in which dates are', () => {
  const typed = {
    '1985-12-10': '1985-12-10',
    '10.12.1985': '1985-12-10',
    '10/12/85': '1985-12-10',
    '4.3.26': '2026-03-04',
    '5.3.26': '1926-03-05',
    '10 December 1985': '1985-12-10',
    '10. Dezember 1985': '1985-12-10',
    '10 Dec': '--12-10',
    '10. Dez.': '--12-10',
    '10.12.': '--12-10',
    '--12-10': '--12-10',
    '29 Feb': '--02-29',
    '29.2.2024': '2024-02-29',
  }
  for (const [text, birthday] of Object.entries(typed))
    expect([text, readBirthday(text, forms)]).toEqual([text, birthday])
  expect(readBirthday('12/10/1985', { ...forms, monthFirst: true })).toBe('1985-12-10')
})

test('what names no day of the year is no birthday', () => {
  for (const text of ['', 'today', 'Monday', '31 Feb', '29.2.2023', '1985', 'someday', '--13-01'])
    expect([text, readBirthday(text, forms)]).toEqual([text, undefined])
})

test('every birthday is shown so that it is read again as the same, in both languages and both orders', () => {
  for (const locale of ['en-GB', 'de-DE'])
    for (const monthFirst of [false, true])
      for (let date = day('2024-01-01'); date.year < 2025; date = date.add({ days: 1 }))
        for (const birthday of [date.toString(), `-${date.toString().slice(4)}`])
          expect(readBirthday(shownBirthday(birthday, locale), { today, monthFirst })).toBe(birthday)
})

test('one grows older on the birthday, and who was born on 29 February on the 28th of common years', () => {
  const ages = (birthday: string, days: readonly string[]) => days.map((at) => ageOn(birthday, day(at)))
  expect(ages('1985-03-04', ['2026-03-03', '2026-03-04', '2026-03-05'])).toEqual([40, 41, 41])
  expect(ages('2004-02-29', ['2026-02-27', '2026-02-28', '2028-02-28', '2028-02-29'])).toEqual([
    21, 22, 23, 24,
  ])
  expect(ages('2026-03-04', ['2026-03-04'])).toEqual([0])
  expect(ageOn('--03-04', today)).toBeUndefined()
})

test('the next birthday is today, later this year or next year', () => {
  const next = (birthday: string) => {
    const { date, turns } = nextBirthday(birthday, today)
    return [date.toString(), turns]
  }
  expect(next('1985-03-04')).toEqual(['2026-03-04', 41])
  expect(next('1985-03-05')).toEqual(['2026-03-05', 41])
  expect(next('1985-03-03')).toEqual(['2027-03-03', 42])
  expect(next('--02-29')).toEqual(['2027-02-28', undefined])
})

test('upcoming birthdays stand by day, then by name, also across the turn of the year', () => {
  const born = (nickname: string, birthday: string | null) =>
    ({ first_name: null, last_name: null, nickname, birthday }) as PersonView
  const people = [born('Zoe', '--01-02'), born('Ann', '1990-01-02'), born('Ben', '1990-12-31'), born('Cem', null), born('Dan', '--01-31')] // prettier-ignore
  const found = upcomingBirthdays(people, day('2026-12-31'), 30)
  expect(found.map(({ person, inDays, turns }) => [person.nickname, inDays, turns])).toEqual([
    ['Ben', 0, 36],
    ['Ann', 2, 37],
    ['Zoe', 2, undefined],
  ])
})
