import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projects } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import {
  createProject,
  idsOf,
  type Item,
  pagesOf,
  positionsOf,
  projectsOf,
  refused,
  send,
  sorted,
  upTo,
} from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const OUT_OF_DATE = refused(409, 'The list of projects is out of date')
const several = async (actor: Actor, count: number): Promise<Item[]> => {
  const items = []
  for (let i = 0; i < count; i++) items.push(await createProject(actor))
  return items
}
const order = async (actor: Actor) => idsOf(await projectsOf(actor))

describe('A position', () => {
  test('given on POST is where the project comes; beyond the end it is the end', async () => {
    const ada = await h.signedIn()
    const last = await createProject(ada, { position: 2_147_483_647 })
    const first = await createProject(ada, { position: 1 })
    const second = await createProject(ada, { position: 2 })
    expect([last.position, first.position, second.position]).toEqual([1, 1, 2])
    expect(await order(ada)).toEqual([first.id, second.id, last.id])
    expect(positionsOf(await projectsOf(ada))).toEqual([1, 2, 3])
  })

  test('given on PUT moves the project there, counted without itself, and leaves the versions of the others', async () => {
    const ada = await h.signedIn()
    const [a, b, c] = idsOf(await several(ada, 3))
    const moves: Array<[id: number | undefined, position: number, expected: unknown]> = [
      [a, 2, [b, a, c]],
      [a, 3, [b, c, a]],
      [a, 99, [b, c, a]],
      [a, 1, [a, b, c]],
      [a, 1, [a, b, c]],
      [b, 2, [a, b, c]],
    ]
    for (const [id, position, expected] of moves) {
      const { body } = await send(ada, 'PUT', `/${id}`, { position })
      expect([body.position, await order(ada)]).toEqual([Math.min(position, 3), expected])
    }
    expect((await projectsOf(ada)).map(({ version }) => version)).toEqual([6, 2, 1])
  })

  test('is one of a strict order after 20 moves at once', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const ids = idsOf(await several(ada, 5))
      const answers = await Promise.all(
        upTo(20).map((i) => send(ada, 'PUT', `/${ids[i % 5]}`, { position: 1 + ((i * 7) % 5) })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const after = await projectsOf(ada)
      expect(positionsOf(after)).toEqual(upTo(5))
      expect(sorted(idsOf(after))).toEqual(sorted(ids))
    }
  }, 60_000)
})

describe('1 000 projects put at one spot', () => {
  test('all come there, each before the one put before it, four at a time', async () => {
    const ada = await h.signedIn()
    const [first, last] = [await createProject(ada), await createProject(ada)]
    const putSome = async () => {
      const answered = []
      for (let i = 0; i < 250; i++)
        answered.push((await send(ada, 'POST', '', { name: 'x', position: 2 })).status)
      return answered
    }
    const statuses = (await Promise.all([putSome(), putSome(), putSome(), putSome()])).flat()
    expect(statuses).toEqual(Array(1000).fill(201))
    const all = (await pagesOf(ada, '?limit=200', 'projects')).flat()
    expect(positionsOf(all)).toEqual(upTo(1002))
    expect([all[0]?.id, all.at(-1)?.id]).toEqual([first.id, last.id])
    const between = idsOf(all.slice(1, -1))
    expect(between).toEqual(between.toSorted((a, b) => b - a))
  }, 60_000)
})

describe('PUT /api/projects/reorder', () => {
  test('gives all projects a new order and leaves their versions', async () => {
    const ada = await h.signedIn()
    const ids = idsOf(await several(ada, 4))
    for (const wanted of [ids.toReversed(), ids]) {
      const { status, body } = await send(ada, 'PUT', '/reorder', { project_ids: wanted })
      expect([status, idsOf(body.projects), positionsOf(body.projects)]).toEqual([200, wanted, [1, 2, 3, 4]])
      expect(body.projects).toEqual(await projectsOf(ada))
    }
    expect((await projectsOf(ada)).map(({ version }) => version)).toEqual([1, 1, 1, 1])
  })

  test('refuses any list that is not exactly them, and changes nothing', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const [a = 0, b = 0] = idsOf(await several(ada, 2))
    const foreign = (await createProject(eve)).id
    const wrong = [
      [],
      [a],
      [b],
      [a, a],
      [b, a, a],
      [b, a, foreign],
      [b, foreign],
      [b, 0],
      [b, -a],
      [b, 1e300],
    ]
    for (const project_ids of wrong)
      expect(await send(ada, 'PUT', '/reorder', { project_ids })).toEqual(OUT_OF_DATE)
    for (const project_ids of [undefined, null, 'x', [String(a), b], [1.5], { 0: a }])
      expect((await send(ada, 'PUT', '/reorder', { project_ids })).status).toBe(422)
    expect(await order(ada)).toEqual([a, b])
    expect(await send(await h.signedIn(), 'PUT', '/reorder', { project_ids: [] })).toMatchObject({
      status: 200,
    })
  })

  test('against inserts and deletes at once ends in one strict order', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const ids = idsOf(await several(ada, 3))
      const answers = await Promise.all([
        send(ada, 'PUT', '/reorder', { project_ids: ids.toReversed() }),
        send(ada, 'POST', '', { name: 'New', position: 2 }),
        send(ada, 'DELETE', `/${ids[1]}`),
        send(ada, 'PUT', '/reorder', { project_ids: ids }),
        send(ada, 'PUT', `/${ids[0]}`, { position: 3 }),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(positionsOf(await projectsOf(ada))).toEqual([1, 2, 3])
    }
  }, 60_000)
})

describe('5 000 projects', () => {
  test('are paged by position: inserts, deletes and moves between pages neither skip nor repeat one', async () => {
    const ada = await h.signedIn()
    const now = h.clock.now()
    const rows = upTo(5000).map((i) => ({
      userId: ada.row.id,
      name: `P${i}`,
      isTracked: i % 2 === 0,
      rank: String(i),
      createdAt: now,
      updatedAt: now,
    }))
    for (let i = 0; i < rows.length; i += 1000) await h.db.insert(projects).values(rows.slice(i, i + 1000))
    const all = await h.db
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.userId, ada.row.id))
      .orderBy(projects.rank)
    const expected = all.map(({ id }) => id)
    const pages = await pagesOf(ada, '?limit=200', 'projects', async (page, number) => {
      if (number !== 2) return
      await send(ada, 'DELETE', `/${page.at(-1)?.id}`)
      await send(ada, 'DELETE', `/${page[0]?.id}`)
      await send(ada, 'PUT', `/${page[7]?.id}`, { position: 1 })
      await createProject(ada, { position: 1 })
      await createProject(ada, { position: 3 })
    })
    expect(pages.map(({ length }) => length)).toEqual(Array(25).fill(200))
    expect(pages.flatMap(idsOf)).toEqual(expected)
    expect(positionsOf(pages[0] ?? [])).toEqual(upTo(200))
    const tracked = (await pagesOf(ada, '?limit=200&is_tracked=true', 'projects')).flat()
    expect(tracked.length).toBe(2499)
    expect(
      positionsOf(tracked).every((position, i, before) => i === 0 || position > (before[i - 1] ?? 0)),
    ).toBe(true)
  }, 60_000)
})
