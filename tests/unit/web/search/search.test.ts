import { expect, test } from 'bun:test'
import { matching, type PaletteCommand } from '../../../../src/web/commands/command'
import { isSearchable } from '../../../../src/web/search/fold'
import { highlight } from '../../../../src/web/search/highlight'

/** A text with its hits in brackets. */
const marked = (text: string, searched: string) =>
  highlight(text, searched)
    .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['Lunch with Sam', 'lun sa', '[Lun]ch with [Sa]m'],
  ['Grandma visits', 'ma', 'Grandma visits'],
  ['Café Müller', 'cafe mull', '[Café] [Müll]er'],
  ['Cafe\u0301 au lait', 'café', '[Cafe\u0301] au lait'],
  ['Straße 5', 'strasse', '[Straße] 5'],
  ['a.b (c)', 'c', 'a.b ([c])'],
  ['Lunchtime lunch', 'lunch lunchtime', '[Lunchtime] [lunch]'],
  ['Nothing here', '  ', 'Nothing here'],
  ['C++ and $1', '$1 c++', '[C]++ and $[1]'],
  ['👩‍👩‍👧 family', 'fam', '👩‍👩‍👧 [fam]ily'],
])('in %p the search %p marks %p', (text, searched, expected) => {
  expect(marked(text, searched)).toBe(expected)
})

test('a search needs two letters, or one of a script whose letters are words', () => {
  expect(['a', ' ', '?!', 'a b', 'é'].filter(isSearchable)).toEqual([])
  expect(['ab', '42', '花', 'x yz', '🎂'].filter((text) => !isSearchable(text))).toEqual([])
})

const command = (label: string, group: string): PaletteCommand => ({
  id: label,
  label,
  group,
  icon: 'add',
  run: () => {},
})
const COMMANDS = [command('New todo', 'Add'), command('Todos', 'Go to'), command('Dark theme', 'Theme')]
const labels = (typed: string) => matching(COMMANDS, typed).map(({ label }) => label)

test('a command is found by the beginnings of its words and of its group, what begins so first', () => {
  expect(labels('')).toEqual(['New todo', 'Todos', 'Dark theme'])
  expect(labels('to')).toEqual(['Todos', 'New todo'])
  expect(labels('go')).toEqual(['Todos'])
  expect(labels('the da')).toEqual(['Dark theme'])
  expect(labels('heme')).toEqual([])
})
