import { describe, expect, test } from 'bun:test'
import { isRankKey } from '../../src/features/tasks/projects/rules'
import { isDayKey, lastDayWithin, refusalOfParent } from '../../src/features/tasks/tasks/rules'
import { refusalOfChange, refusalOfDeletion } from '../../src/features/tasks/todo-lists/rules'
import { isKeyOf, keyOf, PRIORITY_ORDER, type Sort } from '../../src/features/tasks/todos/rules.sorting'
import { MAX_ID } from '../../src/lib/wire/id'

const conflict = (message: string) => ({ kind: 'conflict', message })

describe('a list of todos', () => {
  const row = {
    id: 7,
    rank: '1.5',
    dueDate: '2026-03-04',
    priority: 'medium',
    createdAt: new Date('2026-03-04T09:30:00Z'),
  } as const

  test.each<[sort: Sort, value: string]>([
    ['position', '1.5'],
    ['due_date', '2026-03-04'],
    ['priority', '2'],
    ['created_at', '2026-03-04T09:30:00.000Z'],
  ])('sorted by %s goes on after %s and the id', (sort, value) => {
    expect(keyOf(sort)(row)).toEqual([sort, value, 7])
    expect(isKeyOf(sort)([sort, value, 7])).toBe(true)
  })

  test('sorted by due date has those without one last', () => {
    const key = keyOf('due_date')({ ...row, dueDate: null })
    expect(key).toEqual(['due_date', 'infinity', 7])
    expect(isKeyOf('due_date')(key)).toBe(true)
  })

  test('sorted by priority begins with the highest', () => {
    const values = PRIORITY_ORDER.map((priority) => keyOf('priority')({ ...row, priority })[1])
    expect(values).toEqual(['1', '2', '3', '4'])
    expect(PRIORITY_ORDER).toEqual(['high', 'medium', 'low', 'none'])
  })

  test.each<[sort: Sort, key: unknown]>([
    ['position', undefined],
    ['position', { length: 3, 0: 'position', 1: '1', 2: 7 }],
    ['position', ['position', '1']],
    ['position', ['position', '1', 7, 8]],
    ['position', ['due_date', '1', 7]],
    ['position', ['position', 1, 7]],
    ['position', ['position', 'one', 7]],
    ['position', ['position', '1', '7']],
    ['position', ['position', '1', 7.5]],
    ['position', ['position', '1', 0]],
    ['position', ['position', '1', MAX_ID + 1]],
    ['due_date', ['due_date', 'never', 7]],
    ['due_date', ['due_date', '2026-02-30', 7]],
    ['priority', ['priority', '0', 7]],
    ['priority', ['priority', '5', 7]],
    ['priority', ['priority', '11', 7]],
    ['priority', ['priority', ['1'], 7]],
    ['created_at', ['created_at', '2026-03-04', 7]],
  ])('sorted by %s does not go on after %j', (sort, key) => {
    expect(isKeyOf(sort)(key)).toBe(false)
  })

  test('goes on after the first id and the last', () => {
    expect(isKeyOf('position')(['position', '1', 1])).toBe(true)
    expect(isKeyOf('position')(['position', '1', MAX_ID])).toBe(true)
    expect(isKeyOf('priority')(['priority', '1', 1])).toBe(true)
    expect(isKeyOf('priority')(['priority', '4', 1])).toBe(true)
  })
})

test('the default todo list stays, and stays the default', () => {
  expect(refusalOfChange({ isDefault: true }, { is_default: false })).toMatchObject(
    conflict('The default list cannot be unset'),
  )
  expect(refusalOfChange({ isDefault: true }, { is_default: true })).toBeUndefined()
  expect(refusalOfChange({ isDefault: true }, {})).toBeUndefined()
  expect(refusalOfChange({ isDefault: false }, { is_default: false })).toBeUndefined()
  expect(refusalOfDeletion({ isDefault: true })).toMatchObject(conflict('The default list cannot be deleted'))
  expect(refusalOfDeletion({ isDefault: false })).toBeUndefined()
})

describe('a task', () => {
  const top = { id: 1, parentTaskId: null }

  test('may be put below one of the top, unless it has subtasks or is that one', () => {
    const refused = conflict('Only top-level tasks can have subtasks')
    expect(refusalOfParent(top, null)).toBeUndefined()
    expect(refusalOfParent(top, { id: 2, hasSubtasks: false })).toBeUndefined()
    expect(refusalOfParent(top, { id: 1, hasSubtasks: false })).toMatchObject(refused)
    expect(refusalOfParent(top, { id: 2, hasSubtasks: true })).toMatchObject(refused)
    expect(refusalOfParent({ id: 3, parentTaskId: 1 }, null)).toMatchObject(refused)
  })

  test('is due within so many days up to the last of them', () => {
    expect(lastDayWithin('2026-02-27', 0)).toBe('2026-02-27')
    expect(lastDayWithin('2026-02-27', 7)).toBe('2026-03-06')
  })

  test.each<[key: unknown, isKey: boolean]>([
    [['2026-03-04', 1], true],
    [['2026-03-04', MAX_ID], true],
    [['2026-03-04', MAX_ID + 1], false],
    [['2026-03-04', 0], false],
    [['2026-03-04', 1.5], false],
    [['2026-03-04'], false],
    [['2026-03-04', 1, 2], false],
    [['2026-02-30', 1], false],
    [[20260304, 1], false],
    [[['2026-03-04'], 1], false],
    [{ length: 2, 0: '2026-03-04', 1: 1 }, false],
    [null, false],
  ])('in a list by days: that it goes on after %j is %p', (key, isKey) => {
    expect(isDayKey(key)).toBe(isKey)
  })
})

test.each<[key: unknown, isKey: boolean]>([
  [['1.5'], true],
  [['-3'], true],
  [['one'], false],
  [[1], false],
  [[], false],
  [['1', '2'], false],
  [{ length: 1, 0: '1' }, false],
  ['1', false],
])('in a list that is arranged by hand: that it goes on after %j is %p', (key, isKey) => {
  expect(isRankKey(key)).toBe(isKey)
})
