import { describe, expect, test } from 'bun:test'
import { matchesCard, readCardFilter, readCardLimit, readCardObject } from '../../../src/dav/queries/cards'
import { reportEffort } from '../../../src/dav/queries/effort'
import type { XmlElement } from '../../../src/lib/xml/element'
import { card, text } from '../../support/dav-queries'

const JANE = text(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'FN:Jane Müller',
  'N:Müller;Jane;;;',
  'item1.EMAIL;type=INTERNET,WORK:jane@example.com',
  'EMAIL;TYPE=HOME:jane@home.ex',
  ' ample',
  'NICKNAME:Janie,JJ\\, the one',
  'END:VCARD',
)

const property = (name: string, ...conditions: readonly XmlElement[]) =>
  card('prop-filter', { name }, ...conditions)
const all = (name: string, ...conditions: readonly XmlElement[]) =>
  card('prop-filter', { name, test: 'allof' }, ...conditions)
const match = (wanted: string, attributes = {}) => card('text-match', attributes, wanted)
const type = (wanted: string) => card('param-filter', { name: 'TYPE' }, match(wanted))
const none = card('is-not-defined')

function finds(attributes: Readonly<Record<string, string>>, ...conditions: readonly XmlElement[]) {
  const filter = readCardFilter(card('filter', attributes, ...conditions))
  if ('precondition' in filter) throw new Error(filter.problem)
  return matchesCard(filter, readCardObject(JANE, reportEffort()))
}

describe('a filter of cards', () => {
  test('without conditions finds every card', () => {
    expect(finds({})).toBe(true)
  })
  test('finds properties in any case and any group, and their absence', () => {
    expect([
      finds({}, property('email')),
      finds({}, property('TEL')),
      finds({}, property('TEL', none)),
    ]).toEqual([true, false, true])
  })
  test('needs one of its conditions, or all of them', () => {
    const [yes, no] = [property('EMAIL'), property('TEL')]
    expect([
      finds({}, yes, no),
      finds({ test: 'anyof' }, no, no),
      finds({ test: 'allof' }, yes, no),
      finds({ test: 'allof' }, yes, yes),
    ]).toEqual([true, false, false, true])
  })
  test.each([
    ['equals', 'jane müller', true],
    ['equals', 'jane', false],
    ['contains', 'NE MÜ', true],
    ['starts-with', 'JANE', true],
    ['starts-with', 'müller', false],
    ['ends-with', 'MÜLLER', true],
    ['ends-with', 'jane', false],
  ])('compares texts that have to be the same by %s with %s', (name, wanted, found) => {
    expect(finds({}, property('FN', match(wanted, { 'match-type': name })))).toBe(found)
    expect(finds({}, property('FN', match(wanted, { 'match-type': name, 'negate-condition': 'yes' })))).toBe(
      !found,
    )
  })
  test('compares by collation, letters of all scripts unless it says otherwise', () => {
    const by = (collation: string) => finds({}, property('FN', match('MÜLLER', { collation })))
    expect([by('i;unicode-casemap'), by('i;ascii-casemap'), by('i;octet')]).toEqual([true, false, false])
    expect(readCardFilter(card('filter', {}, property('FN', match('a', { collation: 'x' }))))).toMatchObject({
      precondition: 'supported-collation',
    })
  })
  test('holds all conditions of a property against one line', () => {
    expect(finds({}, all('EMAIL', match('home.example'), type('home')))).toBe(true)
    expect(finds({}, all('EMAIL', match('home.example'), type('work')))).toBe(false)
    expect(finds({}, property('EMAIL', match('nowhere'), type('work')))).toBe(true)
  })
  test('compares each value of a list', () => {
    expect(finds({}, property('NICKNAME', match('jj, the one', { 'match-type': 'equals' })))).toBe(true)
    expect(finds({}, property('NICKNAME', match('Janie,JJ')))).toBe(false)
  })
  test('that says nothing sensible is refused', () => {
    for (const wrong of [
      card('other'),
      card('prop-filter'),
      property('FN', match('a', { 'match-type': 'like' })),
      property('FN', none, match('a')),
    ]) {
      expect(readCardFilter(card('filter', {}, wrong))).toMatchObject({ precondition: 'valid-filter' })
    }
  })
})

test('a query says how many cards it wants at most', () => {
  const limit = (number: string) =>
    card('addressbook-query', {}, card('limit', {}, card('nresults', {}, number)))
  expect(readCardLimit(limit(' 20 '))).toBe(20)
  expect(readCardLimit(card('addressbook-query'))).toBeUndefined()
  expect(readCardLimit(limit('0'))).toMatchObject({ precondition: 'valid-filter' })
})
