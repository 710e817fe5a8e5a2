import { describe, expect, test } from 'bun:test'
import { differences, mentions, type Texts, textsOf } from '../../src/features/events/events/rules.texts'
import { refuseUnsupported } from '../../src/features/events/events/rules.unsupported'
import {
  isMasked,
  isOthersPrivate,
  MASKED,
  maskedOverride,
  refusalOfHiding,
  refusalOfPrivate,
} from '../../src/features/events/events/rules.visibility'
import {
  refusalOfNumber as refusalOfInvitations,
  toSentence,
} from '../../src/features/events/invitations/rules'
import {
  NO_TIMES,
  refusalOfNumber as refusalOfOverrides,
  refusalOfOverride,
  saysAnything,
} from '../../src/features/events/overrides/rules'

const texts: Texts = { title: 'Tea', description: 'With milk', location: 'Kitchen', reminderMinutes: 5 }

describe('the texts of an occurrence', () => {
  const none = { title: '', description: null, location: null, reminderMinutes: null }

  test('are its own where it has any, and else those of its series', () => {
    expect(textsOf(texts)).toEqual(texts)
    expect(textsOf(texts, {})).toEqual(texts)
    expect(textsOf(texts, none)).toEqual(none)
    for (const field of ['title', 'description', 'location', 'reminderMinutes'] as const) {
      expect(textsOf(texts, { [field]: none[field] })).toEqual({ ...texts, [field]: none[field] })
      expect(textsOf(texts, { [field]: undefined })).toEqual(texts)
    }
  })

  test('are kept only in so far as they differ from those of the series', () => {
    expect(differences(texts, texts)).toEqual({})
    expect(differences(texts, none)).toEqual(none)
    for (const field of ['title', 'description', 'location', 'reminderMinutes'] as const)
      expect(differences(texts, { ...texts, [field]: none[field] })).toEqual({ [field]: none[field] })
  })

  test('are searched through, whatever the case', () => {
    expect(['tEA', 'MILK', 'kitch'].map((q) => mentions(texts, q))).toEqual([true, true, true])
    expect(mentions(texts, 'coffee')).toBe(false)
    expect(mentions({ title: 'Tea', description: null, location: null }, 'null')).toBe(false)
  })
})

describe('a private event', () => {
  test('is hidden from the members of its calendar, but not from its owner or who is invited', () => {
    const seen = (access: 'owner' | 'write' | 'read' | null, visibility: 'private' | 'public' = 'private') =>
      isOthersPrivate({ visibility, access })
    expect([seen('owner'), seen('write'), seen('read'), seen(null)]).toEqual([false, true, true, false])
    expect([seen('owner', 'public'), seen('write', 'public')]).toEqual([false, false])
    const reading = { visibility: 'private', access: 'read' } as const
    expect(isMasked({ ...reading, isInvited: false })).toBe(true)
    expect(isMasked({ ...reading, isInvited: true })).toBe(false)
    expect(isMasked({ ...reading, access: 'owner', isInvited: false })).toBe(false)
    expect(MASKED).toEqual({ title: 'Busy', description: null, location: null, reminderMinutes: null })
  })

  test('is changed and made by the owner of the calendar alone', () => {
    const only = (what: string) => ({
      kind: 'forbidden',
      message: `Only the owner of the calendar can ${what}`,
    })
    expect(refusalOfPrivate({ visibility: 'private', access: 'write' })).toMatchObject(
      only('change a private event'),
    )
    expect(refusalOfPrivate({ visibility: 'private', access: 'owner' })).toBeUndefined()
    expect(refusalOfHiding('private', 'write')).toMatchObject(only('make an event private'))
    expect(refusalOfHiding('private', 'owner')).toBeUndefined()
    expect(refusalOfHiding('public', 'write')).toBeUndefined()
    expect(refusalOfHiding(undefined, 'write')).toBeUndefined()
  })

  test('tells of a changed occurrence only that it moved or does not take place', () => {
    const override = {
      isCancelled: false,
      changes: { title: 'Secret' } as object,
      startAt: null as Date | null,
      startDate: null as string | null,
    }
    const masked = (more: Partial<typeof override>) => maskedOverride({ ...override, ...more })
    expect(masked({})).toBeUndefined()
    expect(masked({ isCancelled: true })).toEqual({ ...override, isCancelled: true, changes: {} })
    expect(masked({ startDate: '2026-03-04' })).toMatchObject({ startDate: '2026-03-04', changes: {} })
    expect(masked({ startAt: new Date(0) })).toEqual({
      ...override,
      startAt: new Date(0),
      changes: {},
    })
  })
})

test('what only another program can say of the times of an event is changed there', () => {
  expect(() => refuseUnsupported({ recurrenceUnsupported: false })).not.toThrow()
  expect(() => refuseUnsupported({ recurrenceUnsupported: true })).toThrow(
    expect.objectContaining({ kind: 'conflict', message: 'Change this in the program that made it' }),
  )
})

describe('an invitation', () => {
  test('is one of twenty at most', () => {
    expect(refusalOfInvitations(20)).toBeUndefined()
    expect(refusalOfInvitations(21)).toMatchObject({
      kind: 'conflict',
      message: 'An event can have at most 20 invitations',
    })
  })

  test('is answered in a sentence', () => {
    const subject = { title: 'Tea' }
    expect(toSentence('ada', 'Going', subject)).toBe('ada is going to “Tea”.')
    expect(toSentence('ada', 'Tentative', subject)).toBe('ada may come to “Tea”.')
    expect(toSentence('ada', 'Declined', { ...subject, day: '4 March' })).toBe(
      'ada declined “Tea” on 4 March.',
    )
  })
})

describe('an override', () => {
  test('is one of a thousand at most', () => {
    expect(refusalOfOverrides(999)).toBeUndefined()
    expect(refusalOfOverrides(1000)).toMatchObject({
      kind: 'conflict',
      message: 'An event can have at most 1000 changed or deleted occurrences',
    })
  })

  test('says something when it has other texts or another start', () => {
    const own = { ...NO_TIMES, changes: {} }
    expect(saysAnything(own)).toBe(false)
    expect(saysAnything({ ...own, changes: { title: 'Tea' } })).toBe(true)
    expect(saysAnything({ ...own, startAt: new Date(0) })).toBe(true)
    expect(saysAnything({ ...own, startDate: '2026-03-04' })).toBe(true)
    expect(NO_TIMES).toEqual({ startAt: null, endAt: null, startDate: null, endDate: null, timeZone: null })
  })

  const series = {
    recurrence_rule: 'FREQ=DAILY',
    all_day: false,
    own_all_day: false,
    time_zone: 'Europe/Berlin',
    visibility: 'public',
    isIn: (id: number) => id === 7,
  } as const
  const same = {
    recurrence_rule: 'FREQ=DAILY',
    calendar_id: 7,
    all_day: false,
    visibility: 'public',
    time_zone: 'Europe/Berlin',
  } as const

  test('may send back what it has read', () => {
    expect(refusalOfOverride({}, series)).toBeUndefined()
    expect(refusalOfOverride(same, series)).toBeUndefined()
    expect(refusalOfOverride({ time_zone: null }, series)).toBeUndefined()
    expect(refusalOfOverride({ all_day: true }, { ...series, own_all_day: true })).toBeUndefined()
    expect(refusalOfOverride({ all_day: false }, { ...series, own_all_day: true })).toBeUndefined()
    expect(refusalOfOverride({ time_zone: 'UTC' }, { ...series, all_day: true })).toBeUndefined()
  })

  test.each<[field: string, value: object]>([
    ['recurrence_rule', { recurrence_rule: null }],
    ['recurrence_rule', { recurrence_rule: 'FREQ=WEEKLY' }],
    ['calendar_id', { calendar_id: 8 }],
    ['all_day', { all_day: true }],
    ['visibility', { visibility: 'private' }],
    ['time_zone', { time_zone: 'UTC' }],
  ])('leaves %s to the series, and so refuses %j', (field, value) => {
    expect(refusalOfOverride({ ...same, ...value }, series)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: `body.${field}`, message: 'belongs to the whole series' }],
    })
  })
})
