import { describe, expect, test } from 'bun:test'
import { visibleCalendar, type VisibleCalendar, writableCalendar } from '../../src/access/calendars/rules'
import {
  refusalOfChange,
  refusalOfDeletion,
  refusalOfMember,
} from '../../src/features/calendars/calendars/rules'
import { prefilled } from '../../src/features/people/linked-people/rules'
import {
  refusalOfAbsent,
  refusalOfRequest,
  refusalOfSettling,
  shownStatus,
  type Standing,
  statusesShownAs,
} from '../../src/features/people/requests/rules'
import {
  SHARED_FIELDS,
  shows,
  togglesOf,
  toToggleColumns,
  toToggleFields,
} from '../../src/features/people/sharing/rules'

const conflict = (message: string) => ({ kind: 'conflict', message })

describe('a request to connect', () => {
  const standing: Standing = {
    isOpen: true,
    connections: 0,
    pendingBetween: 0,
    pendingOfReceiver: 49,
    pendingOfSender: 19,
  }

  test('is sent where nothing stands against it', () => {
    expect(refusalOfRequest(standing)).toBeUndefined()
  })

  test.each<[what: Partial<Standing>, refusal: object | string]>([
    [{ connections: 1 }, conflict('You are already connected')],
    [{ connections: 1, pendingBetween: 1, isOpen: false }, conflict('You are already connected')],
    [{ pendingBetween: 1 }, conflict('A request is already pending')],
    [{ pendingBetween: 1, isOpen: false }, conflict('A request is already pending')],
    [{ isOpen: false, pendingOfReceiver: 50 }, 'absent'],
    [{ pendingOfReceiver: 50 }, conflict('This user cannot receive more requests')],
    [{ pendingOfSender: 20 }, conflict('You have too many pending requests')],
  ])('with %j is refused', (what, refusal) => {
    const found = refusalOfRequest({ ...standing, ...what })
    if (typeof refusal === 'string') expect(found).toBe(refusal as 'absent')
    else expect(found).toMatchObject(refusal)
  })

  test('to nobody says what its sender may know', () => {
    expect(refusalOfAbsent(true)).toMatchObject(conflict('A request is already pending'))
    expect(refusalOfAbsent(false)).toMatchObject({ kind: 'not_found', message: 'User not found' })
  })

  test('that was rejected stays pending for its sender, and one that was cancelled is gone for its receiver', () => {
    expect(shownStatus('sender', 'rejected')).toBe('pending')
    expect(shownStatus('receiver', 'rejected')).toBe('rejected')
    expect(shownStatus('sender', 'cancelled')).toBe('cancelled')
    expect(statusesShownAs('sender', undefined)).toEqual(['pending', 'accepted', 'rejected', 'cancelled'])
    expect(statusesShownAs('sender', 'pending')).toEqual(['pending', 'rejected'])
    expect(statusesShownAs('sender', 'rejected')).toEqual([])
    expect(statusesShownAs('receiver', undefined)).toEqual(['pending', 'accepted', 'rejected'])
    expect(statusesShownAs('receiver', 'cancelled')).toEqual([])
    expect(statusesShownAs('receiver', 'rejected')).toEqual(['rejected'])
  })

  test('is settled once, as each side sees it', () => {
    const settled = conflict('This request is no longer pending')
    expect(refusalOfSettling('sender', 'rejected')).toBeUndefined()
    expect(refusalOfSettling('receiver', 'pending')).toBeUndefined()
    expect(refusalOfSettling('receiver', 'rejected')).toMatchObject(settled)
    expect(refusalOfSettling('sender', 'accepted')).toMatchObject(settled)
  })
})

describe('a shared profile', () => {
  test('shows a field by the toggle of the connection, or else by that of the settings', () => {
    for (const setting of [true, false]) {
      expect(shows(null, setting)).toBe(setting)
      expect(shows(undefined, setting)).toBe(setting)
      expect(shows(true, setting)).toBe(true)
      expect(shows(false, setting)).toBe(false)
    }
  })

  test.each([...SHARED_FIELDS])('keeps %s apart from all other fields, on its way in and out', (field) => {
    const given = (object: object) => Object.entries(object).filter(([, value]) => value === 'given')
    const columns = toToggleColumns({ [`share_${field}`]: 'given' })
    expect(given(columns)).toHaveLength(1)
    const stored = columns as unknown as Parameters<typeof togglesOf>[0]
    expect(given(togglesOf(stored))).toEqual([[field, 'given']])
    expect(given(toToggleFields(stored))).toEqual([[`share_${field}`, 'given']])
  })

  const nothing = {
    firstName: null,
    lastName: null,
    nickname: null,
    email: undefined,
    phone: undefined,
    mobile: undefined,
    birthday: undefined,
    address: undefined,
    company: undefined,
    jobTitle: undefined,
  }

  test('fills a person, who is called by the network name only where no other name is shared', () => {
    expect(prefilled({}, 'ada')).toEqual({ ...nothing, nickname: 'ada' })
    expect(prefilled({ first_name: 'Ada' }, 'ada')).toEqual({ ...nothing, firstName: 'Ada' })
    expect(prefilled({ last_name: 'Lovelace' }, 'ada')).toEqual({ ...nothing, lastName: 'Lovelace' })
    expect(prefilled({ first_name: 'Ada', preferred_name: 'Countess' }, 'ada')).toEqual({
      ...nothing,
      firstName: 'Ada',
      nickname: 'Countess',
    })
    expect(prefilled({ first_name: null, email: 'ada@example.org', job_title: null }, 'ada')).toEqual({
      ...nothing,
      nickname: 'ada',
      email: 'ada@example.org',
      jobTitle: null,
    })
    expect(prefilled({ first_name: 'x'.repeat(101) }, 'ada').firstName).toBe('x'.repeat(100))
  })
})

describe('a calendar', () => {
  const stored = { name: 'Work', isDefault: false, isSystem: false }

  test('may be renamed and made the default, but not the Birthdays', () => {
    const system = { ...stored, name: 'Birthdays', isSystem: true }
    expect(refusalOfChange(stored, { name: 'Home', is_default: true })).toBeUndefined()
    expect(refusalOfChange(stored, { is_default: false })).toBeUndefined()
    expect(refusalOfChange(system, { name: 'Birthdays' })).toBeUndefined()
    expect(refusalOfChange(system, { is_default: false })).toBeUndefined()
    expect(refusalOfChange(system, {})).toBeUndefined()
    expect(refusalOfChange(system, { name: 'Else' })).toMatchObject(
      conflict('System calendars cannot be renamed'),
    )
    expect(refusalOfChange(system, { is_default: true })).toMatchObject(
      conflict('The Birthdays calendar cannot be the default'),
    )
  })

  test('that is the default stays so until another one is', () => {
    const isDefault = { ...stored, isDefault: true }
    expect(refusalOfChange(isDefault, { is_default: true, name: 'Else' })).toBeUndefined()
    expect(refusalOfChange(isDefault, { is_default: false })).toMatchObject(
      conflict('The default calendar cannot be unset'),
    )
    expect(refusalOfDeletion(isDefault)).toMatchObject(conflict('The default calendar cannot be deleted'))
    expect(refusalOfDeletion({ ...stored, isSystem: true })).toMatchObject(
      conflict('System calendars cannot be deleted'),
    )
    expect(refusalOfDeletion(stored)).toBeUndefined()
  })

  test('has its name and its default from its owner alone', () => {
    const insufficient = { kind: 'forbidden', message: 'Insufficient permissions' }
    expect(refusalOfMember({})).toBeUndefined()
    expect(refusalOfMember({ name: 'Work' })).toMatchObject(insufficient)
    expect(refusalOfMember({ is_default: false })).toMatchObject(insufficient)
  })

  const visible = (id: number, more: Partial<VisibleCalendar> = {}): VisibleCalendar => ({
    id,
    ownerId: 1,
    name: 'Work',
    color: '#000000',
    isDefault: false,
    isSystem: false,
    isVisible: true,
    access: 'owner',
    ...more,
  })

  test('is found by its id, and the default one without; what is not seen is not there', () => {
    const all = [
      visible(1),
      visible(2, { isDefault: true }),
      visible(3, { isVisible: false, access: 'write' }),
    ]
    const missing = expect.objectContaining({ kind: 'not_found', message: 'Calendar not found' })
    expect(writableCalendar(all, undefined).id).toBe(2)
    expect(writableCalendar(all, 3).id).toBe(3)
    expect(visibleCalendar(all, 3).id).toBe(3)
    expect(() => writableCalendar(all, 4)).toThrow(missing)
    expect(() => writableCalendar([visible(1)], undefined)).toThrow(missing)
    expect(() => visibleCalendar(all, 4)).toThrow(missing)
  })

  test('takes no events from those who only read it, nor as the Birthdays', () => {
    const all = [visible(1, { access: 'read' }), visible(2, { isSystem: true, access: 'read' })]
    expect(() => writableCalendar(all, 1)).toThrow(
      expect.objectContaining({ kind: 'forbidden', message: 'Insufficient permissions' }),
    )
    expect(() => writableCalendar(all, 2)).toThrow(
      expect.objectContaining(conflict('Birthdays are managed through people')),
    )
  })
})
