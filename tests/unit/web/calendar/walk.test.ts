import { describe, expect, test } from 'bun:test'
import { walk, type Walkable, type WalkPlace } from '../../../../src/web/calendar/layout/walk'

const day = (date: string, ...items: ReadonlyArray<readonly [string, number]>) => ({
  date,
  items: items.map(([key, at]) => ({ key, at })),
})
const week: Walkable = {
  rows: [[day('mon', ['a', 540], ['b', 600]), day('tue', ['c', 420], ['d', 590]), day('wed')]],
}
const month: Walkable = {
  rows: [
    [day('1', ['a', 0], ['b', 1]), day('2')],
    [day('8', ['c', 0]), day('9')],
  ],
}
const at = (date: string, key?: string): WalkPlace => ({ date, key })

describe('arrows in a week', () => {
  test('go down through the events of a day, and up again to the day', () => {
    expect(walk(week, at('mon'), 'ArrowDown')).toEqual({ to: at('mon', 'a') })
    expect(walk(week, at('mon', 'a'), 'ArrowDown')).toEqual({ to: at('mon', 'b') })
    expect(walk(week, at('mon', 'b'), 'ArrowDown')).toBeUndefined()
    expect(walk(week, at('mon', 'b'), 'ArrowUp')).toEqual({ to: at('mon', 'a') })
    expect(walk(week, at('mon', 'a'), 'ArrowUp')).toEqual({ to: { date: 'mon' } })
  })
  test('go sideways to the event that stands nearest, or to the day where there is none', () => {
    expect(walk(week, at('mon', 'b'), 'ArrowRight')).toEqual({ to: at('tue', 'd') })
    expect(walk(week, at('tue', 'c'), 'ArrowRight')).toEqual({ to: at('wed') })
    expect(walk(week, at('mon'), 'ArrowRight')).toEqual({ to: { date: 'tue' } })
  })
  test('leave for the week before and after at its ends', () => {
    expect(walk(week, at('mon', 'a'), 'ArrowLeft')).toEqual({ leaveBy: -1 })
    expect(walk(week, at('wed'), 'ArrowRight')).toEqual({ leaveBy: 1 })
  })
  test('change sides where one reads from right to left', () => {
    expect(walk(week, at('mon'), 'ArrowLeft', true)).toEqual({ to: { date: 'tue' } })
    expect(walk(week, at('mon'), 'ArrowRight', true)).toEqual({ leaveBy: -1 })
  })
  test('Home and End go to the ends of the week', () => {
    expect(walk(week, at('tue', 'd'), 'Home')).toEqual({ to: { date: 'mon' } })
    expect(walk(week, at('tue', 'd'), 'End')).toEqual({ to: { date: 'wed' } })
  })
})

describe('arrows in a month', () => {
  test('go on from the last event of a day to the day below, and back to its last event', () => {
    expect(walk(month, at('1', 'b'), 'ArrowDown')).toEqual({ to: at('8') })
    expect(walk(month, at('8'), 'ArrowUp')).toEqual({ to: at('1', 'b') })
    expect(walk(month, at('2'), 'ArrowDown')).toEqual({ to: at('9') })
  })
  test('leave by a week above the first row and below the last', () => {
    expect(walk(month, at('1'), 'ArrowUp')).toEqual({ leaveBy: -7 })
    expect(walk(month, at('9'), 'ArrowDown')).toEqual({ leaveBy: 7 })
  })
  test('go sideways over the ends of rows', () => {
    expect(walk(month, at('2'), 'ArrowRight')).toEqual({ to: { date: '8' } })
    expect(walk(month, at('8'), 'ArrowLeft')).toEqual({ to: { date: '2' } })
  })
})
