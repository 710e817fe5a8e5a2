import { describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { taskComments } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import {
  createProject,
  createTask,
  idsOf,
  NO_PROJECT,
  NO_TASK,
  pagesOf,
  refused,
  send,
  upTo,
} from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const NO_COMMENT = refused(404, 'Comment not found')

async function withTask(actor?: Actor) {
  const ada = actor ?? (await h.signedIn())
  const project = (await createProject(ada)).id
  const task = (await createTask(ada, project)).id
  const path = `/${project}/tasks/${task}/comments`
  const comment = async (body = 'Yes') => (await send(ada, 'POST', path, { body })).body
  return { ada, project, task, path, comment }
}
const bodies = async (actor: Actor, path: string) =>
  (await send(actor, 'GET', path)).body.comments.map(({ body }: { body: string }) => body)

describe('POST …/comments', () => {
  test('writes one in the name of the caller, its lines as they came', async () => {
    const { ada, path } = await withTask(await h.signedIn({ username: 'Ada' }))
    const { status, body } = await send(ada, 'POST', path, {
      body: ' Cafe\u0301\n\n  yes ',
      id: 1,
      author_id: 1,
      created_at: '2000-01-01T00:00:00Z',
    })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        body: ' Caf\u00e9\n\n  yes ',
        author_id: ada.row.id,
        author_network_name: 'ada',
        created_at: expect.stringMatching(/^2026-03-04T/),
        updated_at: body.created_at,
      },
    ])
    expect(await send(ada, 'GET', `${path}/${body.id}`)).toEqual({ status: 200, body })
  })

  test('on a subtask too', async () => {
    const { ada, project, task } = await withTask()
    const subtask = await createTask(ada, project, { parent_task_id: task })
    const path = `/${project}/tasks/${subtask.id}/comments`
    expect((await send(ada, 'POST', path, { body: 'Below' })).status).toBe(201)
    expect(await bodies(ada, path)).toEqual(['Below'])
    expect(await bodies(ada, `/${project}/tasks/${task}/comments`)).toEqual([])
  })

  test('refuses a body that is empty, too long or no text', async () => {
    const { ada, path } = await withTask()
    for (const body of [undefined, null, '', 'a'.repeat(5001), 'a\0b', '\ud800', 1, ['x']])
      expect((await send(ada, 'POST', path, { body })).status).toBe(422)
    expect(await bodies(ada, path)).toEqual([])
    expect((await send(ada, 'POST', path, { body: '\u{1F600}'.repeat(5000) })).status).toBe(201)
  })
})

describe('a comment that shows nothing', () => {
  const INVISIBLE = [
    '',
    ' ',
    ' \t\n\r\n ',
    '\u00a0\u2003\u3000\u2028',
    '\u200b',
    '\u200d\n\u2060\ufeff',
    '\u00ad\u034f',
    '\u0001\u007f\u0085',
    '\u202e\u2069',
    '\u3164\u115f',
    '\ufe0f\u{e0001}',
    '\u2800',
  ]
  const EMPTY = {
    detail: 'body: must not be empty',
    errors: [{ field: 'body.body', message: 'must not be empty' }],
  }

  test.each(INVISIBLE)('%j is refused, new or as a change, and leaves what was there', async (text) => {
    const { ada, path, comment } = await withTask()
    const { id } = await comment('Kept')
    expect(await send(ada, 'POST', path, { body: text })).toEqual({ status: 422, body: EMPTY })
    expect(await send(ada, 'PUT', `${path}/${id}`, { body: text })).toEqual({ status: 422, body: EMPTY })
    expect(await bodies(ada, path)).toEqual(['Kept'])
  })

  test.each(['.', ' \n\u200b! ', '👍', '\u200d👩‍👩‍👧', 'ü', '東', '\u0301'])(
    'but one that shows %j is taken',
    async (text) => {
      const { ada, path } = await withTask()
      expect((await send(ada, 'POST', path, { body: text })).status).toBe(201)
      expect(await bodies(ada, path)).toEqual([text.normalize('NFC')])
    },
  )
})

describe('GET …/comments', () => {
  test('lists those of the task, oldest first', async () => {
    const { ada, project, path, comment } = await withTask()
    const other = await createTask(ada, project)
    await send(ada, 'POST', `/${project}/tasks/${other.id}/comments`, { body: 'elsewhere' })
    const first = await comment('first')
    await comment('second')
    h.clock.advance({ minutes: 1 })
    await comment('third')
    await send(ada, 'PUT', `${path}/${first.id}`, { body: 'FIRST' })
    expect(await bodies(ada, path)).toEqual(['FIRST', 'second', 'third'])
    for (const query of ['limit=0', 'limit=201', 'cursor=x', 'cursor=WyIxIl0'])
      expect([query, (await send(ada, 'GET', `${path}?${query}`)).status]).toEqual([query, 422])
  })

  test('pages 5 000: what is written between pages neither skips nor repeats one', async () => {
    const { ada, task, path, comment } = await withTask()
    const at = (i: number) => new Date(h.clock.now().getTime() + Math.floor(i / 7))
    const rows = upTo(5000).map((i) => ({
      taskId: task,
      authorId: ada.row.id,
      body: `C${i}`,
      createdAt: at(i),
      updatedAt: at(i),
    }))
    for (let i = 0; i < rows.length; i += 1000)
      await h.db.insert(taskComments).values(rows.slice(i, i + 1000))
    const all = await h.db
      .select({ id: taskComments.id })
      .from(taskComments)
      .where(eq(taskComments.taskId, task))
      .orderBy(asc(taskComments.createdAt), asc(taskComments.id))
    h.clock.advance({ hours: 1 })
    let added = 0
    const pages = await pagesOf(ada, `${path}?limit=200`, 'comments', async (page, number) => {
      if (number !== 1) return
      await send(ada, 'DELETE', `${path}/${page.at(-1)?.id}`)
      await send(ada, 'DELETE', `${path}/${page[0]?.id}`)
      added = (await comment()).id
    })
    expect(pages.map(({ length }) => length)).toEqual([...Array(25).fill(200), 1])
    expect(pages.flatMap(idsOf)).toEqual([...all.map(({ id }) => id), added])
  }, 60_000)
})

describe('PUT …/comments/{comment_id}', () => {
  test('changes the body and nothing else', async () => {
    const { ada, path, comment } = await withTask()
    const before = await comment('Old')
    h.clock.advance({ minutes: 1 })
    const { status, body } = await send(ada, 'PUT', `${path}/${before.id}`, {
      body: 'New\nline',
      author_id: 1,
    })
    expect([status, body]).toEqual([200, { ...before, body: 'New\nline', updated_at: expect.any(String) }])
    expect(body.updated_at).not.toBe(before.updated_at)
    for (const wrong of [null, '', 'a'.repeat(5001)])
      expect((await send(ada, 'PUT', `${path}/${before.id}`, { body: wrong })).status).toBe(422)
    expect(await send(ada, 'GET', `${path}/${before.id}`)).toEqual({ status: 200, body })
  })
})

describe('DELETE …/comments/{comment_id}', () => {
  test('ends that comment and no other', async () => {
    const { ada, path, comment } = await withTask()
    const [gone] = [await comment('gone'), await comment('kept')]
    expect(await send(ada, 'DELETE', `${path}/${gone.id}`)).toEqual({ status: 204, body: '' })
    for (const method of ['GET', 'DELETE'])
      expect(await send(ada, method, `${path}/${gone.id}`)).toEqual(NO_COMMENT)
    expect(await send(ada, 'PUT', `${path}/${gone.id}`, { body: 'x' })).toEqual(NO_COMMENT)
    expect(await bodies(ada, path)).toEqual(['kept'])
  })
})

describe('A comment of somebody else, of another task or of another project', () => {
  test('is as absent as one that does not exist, on every part of the path', async () => {
    const { ada, project, task, path, comment } = await withTask()
    const { id } = await comment('Mine')
    const eve = await withTask(await h.signedIn())
    const [sibling, elsewhere] = [await createTask(ada, project), await withTask(ada)]
    const calls = [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const
    const call = (actor: Actor, place: string, method: string, rest: string) =>
      send(actor, method, `${place}${rest}`, method.startsWith('P') ? { body: 'Theirs' } : undefined)
    for (const [method, rest] of calls) {
      for (const foreign of [project, 2_147_483_647, 2_147_483_648, 'x'])
        expect(await call(eve.ada, `/${foreign}/tasks/${task}/comments`, method, rest)).toEqual(NO_PROJECT)
      for (const foreign of [task, 2_147_483_647, 2_147_483_648, 'x'])
        expect(await call(eve.ada, `/${eve.project}/tasks/${foreign}/comments`, method, rest)).toEqual(
          NO_TASK,
        )
      expect(await call(ada, `/${elsewhere.project}/tasks/${task}/comments`, method, rest)).toEqual(NO_TASK)
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const foreign of [id, 2_147_483_647, 2_147_483_648, 0, 'x', '%00'])
        expect(await call(eve.ada, eve.path, method, `/${foreign}`)).toEqual(NO_COMMENT)
      expect(await call(ada, elsewhere.path, method, `/${id}`)).toEqual(NO_COMMENT)
      expect(await call(ada, `/${project}/tasks/${sibling.id}/comments`, method, `/${id}`)).toEqual(
        NO_COMMENT,
      )
    }
    expect(await bodies(ada, path)).toEqual(['Mine'])
    expect(await bodies(eve.ada, eve.path)).toEqual([])
  })
})
