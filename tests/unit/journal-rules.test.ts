import { describe, expect, test } from 'bun:test'
import {
  emptyLog,
  firstOfEach,
  fitting,
  isCurrent,
  isOutdated,
  type LogEntry,
  type LoggedPlace,
  lostScopes,
  placesAfter,
} from '../../src/features/overview/changes/rules'
import type { KnownPlace } from '../../src/features/overview/changes/rules.cursor'
import { readCursor, writeCursor } from '../../src/features/overview/changes/rules.cursor'
import type { Scope } from '../../src/lib/scopes'
import { readableTypes, TYPES, typesOf } from '../../src/features/overview/changes/rules.types'

const known = (more: Partial<KnownPlace> = {}): KnownPlace => ({
  kind: 'u',
  id: 1,
  position: 5,
  target: null,
  isFirst: false,
  ...more,
})
const logged = (more: Partial<LoggedPlace> = {}): LoggedPlace => ({
  ...known(),
  target: 9,
  isMine: true,
  last: 9,
  floor: 0,
  isLost: false,
  ...more,
})
const entry = (place: number, item: number, seq: number, type: LogEntry['type'] = 'todo'): LogEntry => ({
  place,
  type,
  item,
  seq,
})

describe('a reader', () => {
  test('is current who knows all of their scopes, each to its end, between runs of pages', () => {
    const scopes = [
      { kind: 'u', id: 1, last: 5, timeline: 1 },
      { kind: 'c', id: 1, last: 7, timeline: 2 },
    ] as const
    const at = (...places: KnownPlace[]) => ({ places, timeline: 2 })
    const [own, calendar] = [known(), known({ kind: 'c', position: 7 })]
    expect(isCurrent(at(own, calendar), scopes)).toBe(true)
    expect(isCurrent(at(), [])).toBe(true)
    expect(isCurrent(at(calendar), scopes)).toBe(false)
    expect(isCurrent(at(own, calendar), scopes.slice(1))).toBe(false)
    expect(isCurrent(at(own, known({ kind: 'c', position: 6 })), scopes)).toBe(false)
    expect(isCurrent(at(known({ target: 5 }), calendar), scopes)).toBe(false)
    expect(isCurrent(at(own, known({ kind: 'c', id: 2, position: 7 })), scopes)).toBe(false)
    expect(isCurrent({ places: [own, calendar], timeline: 1 }, scopes)).toBe(false)
  })

  test('who knows everything is told nothing, and stays where they are', () => {
    const places = [known(), known({ kind: 'c', id: 2, position: 7 })]
    const log = emptyLog({ places, timeline: 3 })
    expect(log).toEqual({
      timeline: 3,
      entries: [],
      places: [
        { ...known(), target: 5, isMine: true, last: 5, floor: 0, isLost: false },
        {
          ...known({ kind: 'c', id: 2, position: 7 }),
          target: 7,
          isMine: true,
          last: 7,
          floor: 0,
          isLost: false,
        },
      ],
    })
    expect(placesAfter(log, 0, [])).toEqual({ places, hasMore: false })
  })

  test('begins anew where the journal may have forgotten deletions, or is another one', () => {
    expect(isOutdated([])).toBe(false)
    expect(isOutdated([logged()])).toBe(false)
    expect(isOutdated([logged({ position: 5, floor: 5 })])).toBe(false)
    expect(isOutdated([logged({ position: 5, floor: 6 })])).toBe(true)
    expect(isOutdated([logged(), logged({ position: 5, floor: 6 })])).toBe(true)
    expect(isOutdated([logged({ position: 5, floor: 6, isFirst: true })])).toBe(false)
    expect(isOutdated([logged({ position: 9, target: 9 })])).toBe(false)
    expect(isOutdated([logged({ position: 10, target: 9 })])).toBe(true)
    expect(isOutdated([logged({ position: 10, target: 9, isFirst: true })])).toBe(true)
    expect(isOutdated([logged({ target: 10 })])).toBe(true)
    expect(isOutdated([logged({ isLost: true })])).toBe(true)
    expect(isOutdated([logged({ isLost: true, isMine: false })])).toBe(false)
    expect(isOutdated([logged({ position: 10, target: 10, floor: 11, isMine: false })])).toBe(false)
  })

  test('of calendars or events hears which scopes were taken, a page at a time', () => {
    const places = [1, 2, 3].map((id) => logged({ kind: 'c', id, isMine: id === 2 }))
    expect(lostScopes(places, ['event'], 9)).toEqual({ told: [1, 3], waiting: [] })
    expect(lostScopes(places, ['calendar'], 1)).toEqual({ told: [1], waiting: places.slice(2) })
    expect(lostScopes(places, ['todo', 'event_template'], 9)).toStrictEqual({ told: [], waiting: [] })
  })
})

describe('a page', () => {
  test('names each item once, and no calendar that it deletes', () => {
    const entries = [
      entry(0, 1, 1),
      entry(0, 2, 2),
      entry(0, 1, 3),
      entry(0, 1, 4, 'calendar'),
      entry(0, 2, 5, 'calendar'),
    ]
    expect(firstOfEach(entries, [1])).toEqual([entry(0, 1, 1), entry(0, 2, 2), entry(0, 2, 5, 'calendar')])
    expect(firstOfEach(entries, [])).toHaveLength(4)
  })

  test('takes as many items as fit, and always one', () => {
    const entries = [entry(0, 1, 1), entry(0, 2, 2), entry(0, 3, 3)]
    const sized = (maxBytes: number) => fitting(entries, maxBytes, ({ item }) => item * 10).length
    expect([0, 9, 10, 29, 30, 59, 60, 99].map(sized)).toEqual([1, 1, 1, 1, 2, 2, 3, 3])
    expect(fitting([], 0, () => 1)).toEqual([])
  })

  const places = [logged({ isFirst: true }), logged({ kind: 'c', id: 2, position: 3, target: 8 })]
  const entries = [entry(0, 1, 6), entry(0, 2, 9), entry(1, 3, 4), entry(1, 4, 8)]
  const between = (positions: readonly number[]) => ({
    hasMore: true,
    places: [
      { kind: 'u', id: 1, position: positions[0], target: 9, isFirst: true },
      { kind: 'c', id: 2, position: positions[1], target: 8, isFirst: false },
    ],
  })

  test.each<[count: number, positions: readonly number[]]>([
    [0, [5, 3]],
    [1, [6, 3]],
    [2, [9, 3]],
    [3, [9, 4]],
  ])('that tells %d of four entries leaves the reader at %j', (count, positions) => {
    expect(placesAfter({ places, entries }, count, [])).toEqual(between(positions) as object as never)
  })

  test('that tells all of them ends the run, at the ends that it began with', () => {
    expect(placesAfter({ places, entries }, 4, [])).toEqual({
      hasMore: false,
      places: [known({ position: 9 }), known({ kind: 'c', id: 2, position: 8 })],
    })
  })

  test('keeps scopes that were taken only until the reader has heard of it', () => {
    const taken = logged({ kind: 'c', id: 3, isMine: false })
    const other = logged({ kind: 'c', id: 4, isMine: false })
    const log = { places: [logged(), taken, other], entries: [] }
    expect(placesAfter(log, 0, [other]).hasMore).toBe(true)
    expect(placesAfter(log, 0, [other]).places.map(({ id }) => id)).toEqual([1, 4])
    expect(placesAfter(log, 0, [])).toEqual({ hasMore: false, places: [known({ position: 9 })] })
  })
})

describe('a cursor', () => {
  test('is short: numbers to the base of 36, and all types in one character', () => {
    const cursor = { journal: 'e', userId: 36, types: TYPES, places: [known({ id: 35 })] }
    expect(writeCursor(cursor)).toBe('1*e*10*-*uz-5')
    expect(
      writeCursor({
        ...cursor,
        types: ['calendar', 'address_book'],
        places: [known({ target: 37, isFirst: true }), known({ kind: 'c', id: 2 })],
      }),
    ).toBe('1*e*10*0f*u1-5-11N_c2-5')
  })

  test('that was cut off names no user and no place', () => {
    const nobody = Number.NaN
    const nowhere = { kind: 'c', id: nobody, position: nobody, target: null, isFirst: false } as const
    expect(readCursor('1')).toEqual({ journal: '', userId: nobody, types: [], places: [nowhere] })
  })
})

describe('the types of a reader', () => {
  test('are those of the areas that they may read, and what is their own', () => {
    const token = (...scopes: Scope[]) => ({ token: { scopes } })
    const own = ['notification', 'settings']
    const sorted = (types: readonly string[]) => types.toSorted()
    expect(readableTypes({})).toEqual(TYPES)
    expect(sorted(readableTypes(token('calendars:read')))).toEqual(
      sorted([...own, 'calendar', 'event', 'event_template', 'calendar_invite']),
    )
    expect(sorted(readableTypes(token('tasks:read')))).toEqual(
      sorted([...own, 'todo_list', 'todo', 'reminder', 'project', 'task', 'comment']),
    )
    expect(sorted(readableTypes(token('people:read')))).toEqual(
      sorted([...own, 'person', 'connection', 'connection_request', 'address_book']),
    )
  })

  test('are all that may be read, or those of them that are named', () => {
    expect(typesOf(undefined, TYPES)).toEqual(TYPES)
    expect(typesOf(' todo , event', TYPES)).toEqual(['event', 'todo'])
    expect(typesOf('todo,event', ['event', 'person'])).toEqual(['event'])
    expect(typesOf(undefined, ['person'])).toEqual(['person'])
    expect(typesOf('nothing', TYPES)).toEqual([])
  })
})
