import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { type Household, startHousehold } from '../../support/household'
import { needing } from '../../support/needing'

/** Debian's own Python: others on the path do not see the packages of the system. */
const PYTHON = '/usr/bin/python3'
const stack = new AsyncDisposableStack()
const isInstalled =
  Bun.which(PYTHON) !== null && Bun.spawnSync([PYTHON, '-c', 'import caldav'], { stderr: 'ignore' }).success

let own: Household
let seen: Record<'principal' | 'collections' | 'searches' | 'syncs' | 'conflicts' | 'mixed', unknown>
const at = (path: string) => `/dav/calendars/1/${path}`

const installed = needing('python3-caldav', isInstalled)
const { test } = installed

installed.describe('python-caldav', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    const script = join(import.meta.dir, 'python-caldav.py')
    const said = await own.run([PYTHON, script, `${own.url}/`, own.user, own.token])
    seen = JSON.parse(said.slice(said.indexOf('{'), said.indexOf('\n')))
  }, 120_000)
  afterAll(() => stack.disposeAsync())

  test('finds the principal and its calendars from the host, and nothing that would schedule', () => {
    expect(seen.principal).toEqual({
      path: '/dav/principals/1/',
      addresses: ['/dav/principals/1/', expect.stringMatching(/^urn:uuid:/)],
      calendars: expect.arrayContaining(['calendar-1/', 'todos/', 'reminders/'].map(at)),
      speaks: [true, true],
      schedules: false,
      inbox: 'NotFoundError',
    })
  })

  test('makes a calendar, finds it by its name, renames and colours it, and deletes it', () => {
    expect(seen.collections).toEqual({
      found: at('made/'),
      told: ['Doors', '#112233FF'],
      again: 'AuthorizationError',
      components: ['VEVENT'],
      left: expect.not.arrayContaining([at('made/')]),
    })
  })

  test('searches by time, text and UID, and is given occurrences and busy times', () => {
    expect(seen.searches).toEqual({
      all: ['Choir', 'Lunch'],
      within: ['Choir', 'Lunch'],
      within_any: 2,
      outside: [],
      expanded: [
        '2026-03-04T18:00:00+00:00',
        '2026-03-10T12:00:00+00:00',
        '2026-03-11T18:00:00+00:00',
        '2026-03-18T18:00:00+00:00',
        '2026-03-25T18:00:00+00:00',
      ],
      summary: ['Lunch'],
      description: ['Lunch'],
      category: ['Choir'],
      none: [],
      by_uid: at('searches/lunch%40py.ics'),
      by_uid_of_any: at('searches/weekly%40py.ics'),
      by_other_uid: 'NotFoundError',
      multiget: [at('searches/lunch@py.ics'), at('searches/weekly@py.ics')],
      children: 2,
      busy: [
        'FREEBUSY:20260304T180000Z/20260304T200000Z',
        'FREEBUSY:20260310T120000Z/20260310T130000Z',
        'FREEBUSY:20260311T180000Z/20260311T200000Z',
        'FREEBUSY:20260318T180000Z/20260318T200000Z',
        'FREEBUSY:20260325T180000Z/20260325T200000Z',
      ],
    })
  })

  test('keeps its copy of a calendar by sync tokens, and learns that a token counts no more', () => {
    expect(seen.syncs).toEqual({
      before: 2,
      updated: ['Changed', 'new'],
      deleted: [at('syncs/gone%40py.ics')],
      nothing: [0, 0],
      made_up: 'AuthorizationError',
    })
  })

  test('overwrites nothing that it did not mean', () => {
    expect(seen.conflicts).toEqual({
      no_overwrite: 'ConsistencyError',
      no_create: 'ConsistencyError',
      same_uid: 'PutError',
      stale: 412,
      copy: 36,
      left: ['One', 'One'],
    })
  })

  test('makes a calendar of events and todos, finds each kind in it, and syncs both', () => {
    expect(seen.mixed).toEqual({
      components: ['VEVENT', 'VTODO'],
      before: ['Lunch', 'Milk'],
      updated: ['Bread'],
      deleted: [at('both/lunch%40py.ics')],
      events: [],
      todos: ['Bread', 'Milk'],
      same_uid: 'PutError',
      left: null,
    })
  })
})
