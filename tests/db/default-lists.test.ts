import { expect, test } from 'bun:test'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import journal from '../../drizzle/meta/_journal.json'
import { administer, freshDatabaseUrl } from '../support/database'

test('todos of before, and what they were, are in the default list of their user; clients hear of it, and nothing can be undone', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_todo_lists'))
  await using level = await firstMigrations(MIGRATIONS, before)
  await using next = await firstMigrations(MIGRATIONS, before + 1)
  await applyMigrations(database.url, level.path)
  const sql = administer(database.url)
  try {
    await sql.unsafe(`
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
        select name, name, '', 'standard', now(), now() from unnest(array['ada', 'bob', 'eve']) as name;
      insert into todos (user_id, title, priority, rank, version, created_at, updated_at)
        select id, n, 'none', n, 7, now(), now() from users, generate_series(1, 3) as n where username <> 'eve';
      begin;
      select set_config('organiser.operation', gen_random_uuid()::text, true);
      update todos set title = 'Other' where rank = 1;
      delete from todos where rank = 3;
      commit;`)
    const kept = async () => Number((await sql`select count(*) from history`)[0]?.['count'])
    const seqs = async () =>
      new Map(
        (await sql`select id, seq from sync_scopes where kind = 'u'`).map(({ id, seq }) => [id, Number(seq)]),
      )
    const [rows, places] = [await kept(), await seqs()]
    await applyMigrations(database.url, next.path)
    const lists = await sql`select id, user_id, name, is_default from todo_lists order by user_id`
    expect(lists.map(({ user_id, name, is_default }) => [user_id, name, is_default])).toEqual([
      [1, 'Todos', true],
      [2, 'Todos', true],
      [3, 'Todos', true],
    ])
    const listOf = new Map(lists.map(({ id, user_id }) => [user_id, id]))
    const todos = await sql`select user_id, list_id, version from todos order by id`
    expect(
      todos.map(({ user_id, list_id, version }) => `${list_id === listOf.get(user_id)} ${version}`),
    ).toEqual(Array(4).fill('true 7'))
    const images = await sql`select before from history where tab = 'todos' and before is not null`
    expect(images.map(({ before: image }) => image.list_id === listOf.get(image.user_id))).toEqual(
      Array(4).fill(true),
    )
    expect(await kept()).toBe(rows)
    const news =
      await sql`select scope_id, type, seq from sync_changes where scope_kind = 'u' and not gone order by scope_id, type`
    const heard = news.filter(({ scope_id, seq }) => Number(seq) > (places.get(scope_id) ?? 0))
    expect(heard.map(({ scope_id, type }) => `${scope_id} ${type}`)).toEqual([
      '1 todo',
      '1 todo',
      '1 todo_list',
      '2 todo',
      '2 todo',
      '2 todo_list',
      '3 todo_list',
    ])
    expect((await sql`select owner_id, count from tallies where kind = 'todo_lists'`).length).toBe(3)
  } finally {
    await sql.end({ timeout: 5 })
  }
})

test('users and todos that an instance of the release before adds get a default list, and are in it', async () => {
  await using database = await freshDatabaseUrl()
  const sql = administer(database.url)
  try {
    await sql`insert into users (username, network_name, password_hash, role, created_at, updated_at)
      values ('ada', 'ada', '', 'standard', now(), now())`
    await sql`insert into todos (user_id, title, priority, rank, created_at, updated_at)
      select id, 'T', 'none', 1, now(), now() from users`
    const [row] = await sql`select name, is_default from todos join todo_lists on todo_lists.id = list_id`
    expect({ ...row }).toEqual({ name: 'Todos', is_default: true })
  } finally {
    await sql.end({ timeout: 5 })
  }
})
