import { describe, expect, test } from 'bun:test'
import { parseDate, parseTime } from '../../../../src/web/time/parse'

/** A Monday. */
const today = Temporal.PlainDate.from('2026-11-23')

describe('a typed date is read in every form that people write', () => {
  test.each([
    ['2026-12-01', '2026-12-01'],
    ['1/12/2026', '2026-12-01'],
    ['01.12.2026', '2026-12-01'],
    ['1.12.', '2026-12-01'],
    ['1/12', '2026-12-01'],
    ['1/12/26', '2026-12-01'],
    ['22/11', '2027-11-22'],
    ['23.11', '2026-11-23'],
    ['1 dec', '2026-12-01'],
    ['1 December 2027', '2027-12-01'],
    ['1. Dezember', '2026-12-01'],
    ['1st of December', '2026-12-01'],
    ['December 1, 2026', '2026-12-01'],
    ['Dec 1', '2026-12-01'],
    ['3. März 2027', '2027-03-03'],
    ['29 feb', '2028-02-29'],
    ['today', '2026-11-23'],
    ['Tomorrow ', '2026-11-24'],
    ['yesterday', '2026-11-22'],
    ['morgen', '2026-11-24'],
    ['übermorgen', '2026-11-25'],
    ['monday', '2026-11-30'],
    ['next tuesday', '2026-11-24'],
    ['am Freitag', '2026-11-27'],
    ['So', '2026-11-29'],
  ])('%s', (typed, date) => {
    expect(parseDate(typed, { today })?.toString()).toBe(date)
  })
})

test('only in American English the month comes first, and never before a full stop', () => {
  expect(parseDate('12/1/2026', { today, monthFirst: true })?.toString()).toBe('2026-12-01')
  expect(parseDate('1.12.2026', { today, monthFirst: true })?.toString()).toBe('2026-12-01')
})

test('what is no date is none, and is never bent into one', () => {
  for (const typed of ['', '31 feb', '2026-02-30', '32/1', '1/13', 'soon', '5', '2026', 'paprika', 'mayor 5'])
    expect([typed, parseDate(typed, { today })]).toEqual([typed, undefined])
})

describe('a typed time is read in every form that people write', () => {
  test.each([
    ['09:30', '09:30:00'],
    ['9:30', '09:30:00'],
    ['9.30', '09:30:00'],
    ['9h30', '09:30:00'],
    ['930', '09:30:00'],
    ['0930', '09:30:00'],
    ['2115', '21:15:00'],
    ['9', '09:00:00'],
    ['0:05', '00:05:00'],
    ['9:30 pm', '21:30:00'],
    ['9.30pm', '21:30:00'],
    ['930pm', '21:30:00'],
    ['9pm', '21:00:00'],
    ['9 p.m.', '21:00:00'],
    ['12am', '00:00:00'],
    ['12 pm', '12:00:00'],
    ['9 Uhr', '09:00:00'],
    ['9 Uhr 30', '09:30:00'],
    ['noon', '12:00:00'],
    ['Mitternacht', '00:00:00'],
  ])('%s', (typed, time) => {
    expect(parseTime(typed)?.toString()).toBe(time)
  })
})

test('what is no time is none', () => {
  for (const typed of ['', '24:00', '9:60', '13pm', '0 am', 'later', '12345', '9:3', '-1'])
    expect([typed, parseTime(typed)]).toEqual([typed, undefined])
})
