import { describe, expect, test } from 'bun:test'
import { at, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const DAILY = {
  start_at: '2026-03-01T09:00',
  end_at: '2026-03-01T10:00',
  recurrence_rule: 'FREQ=DAILY;COUNT=60',
}
const WINDOW = ['2026-03-01', '2026-05-01'] as const
const ROUNDS = 20
const PARALLEL = 20

describe('If-Match', () => {
  test('lets a change and a deletion of the version pass that was read, in every scope', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    for (const scope of ['all', 'this', 'following']) {
      const query = at('2026-03-20T09:00', scope)
      const stale = [
        await ada.change(id, { title: 'x', start_at: '2026-03-20T11:00' }, query, { 'if-match': '"7"' }),
        await ada.remove(id, query, { 'if-match': '"7"' }),
      ]
      for (const { status, body } of stale) {
        expect([status, body]).toEqual([412, { detail: 'This item has changed since you read it' }])
      }
    }
    expect((await ada.read(id)).body).toMatchObject({ title: 'Choir', version: 1 })
    expect((await ada.list(...WINDOW)).length).toBe(60)
    const changed = await ada.change(id, { title: 'x' }, at('2026-03-20T09:00', 'this'), {
      'if-match': '"1"',
    })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect((await ada.remove(id, {}, { 'if-match': '"1"' })).status).toBe(412)
    expect((await ada.remove(id, {}, { 'if-match': '"2"' })).status).toBe(204)
  })

  test('lets exactly one of parallel changes of one version pass', async () => {
    const ada = await organiser(h)
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.create({ ...DAILY, title: `Round ${round}` })
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, (_, i) =>
          ada.change(id, { title: `Edit ${i}` }, {}, { 'if-match': '"1"' }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200).length).toBe(1)
      expect(statuses.filter((status) => status === 412).length).toBe(PARALLEL - 1)
      const winner = answers.find(({ status }) => status === 200)
      expect((await ada.read(id)).body).toEqual(winner?.body)
    }
  }, 60_000)
})

describe('without If-Match', () => {
  test('parallel changes of different occurrences all take effect', async () => {
    const ada = await organiser(h)
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.create(DAILY)
      const days = Array.from({ length: 20 }, (_, i) => `2026-03-${String(i + 1).padStart(2, '0')}`)
      const answers = await Promise.all(
        days.map((day) => ada.change(id, { title: day }, at(`${day}T09:00`, 'this'))),
      )
      expect(answers.map(({ status }) => status)).toEqual(days.map(() => 200))
      const { occurrences } = (await ada.occurrences(id, '2026-03-01', '2026-03-21')).body
      expect(occurrences.map(({ title }: { title: string }) => title)).toEqual(days)
      expect((await ada.read(id)).body.version).toBe(1 + days.length)
      await ada.remove(id)
    }
  }, 60_000)

  test('a series that is divided at many places at once loses and doubles no occurrence', async () => {
    const ada = await organiser(h)
    const starts = Array.from({ length: 6 }, (_, i) => `2026-03-${10 + i * 3}T09:00`)
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.create(DAILY)
      const answers = await Promise.all(
        starts.map((start) => ada.change(id, { title: start }, at(start, 'following'))),
      )
      // Whoever comes after an earlier division finds the occurrence in the new series.
      expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
      const shown = await ada.starts(...WINDOW)
      expect(shown.length).toBe(60)
      expect(new Set(shown).size).toBe(60)
      const ids = new Set((await ada.list(...WINDOW)).map((event) => event.id))
      for (const each of ids) await ada.remove(each)
    }
  }, 60_000)

  test('exactly one of parallel deletions of one event finds it', async () => {
    const ada = await organiser(h)
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await ada.create(DAILY)
      const answers = await Promise.all(Array.from({ length: 10 }, () => ada.remove(id)))
      expect(answers.filter(({ status }) => status === 204).length).toBe(1)
      expect(answers.filter(({ status }) => status === 404).length).toBe(9)
    }
  })
})
