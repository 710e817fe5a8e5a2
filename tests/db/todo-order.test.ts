import { expect, test } from 'bun:test'
import journal from '../../drizzle/meta/_journal.json'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'

test('todos get the numbers that texts of before say, also in images, and nobody hears of it', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_todo_order'))
  await using level = await firstMigrations(MIGRATIONS, before)
  await using next = await firstMigrations(MIGRATIONS, before + 1)
  await applyMigrations(database.url, level.path)
  const sql = administer(database.url)
  const rows = async (query: string): Promise<unknown[]> => [...(await sql.unsafe(query))]
  try {
    const at = `'2001-01-01T00:01:40Z'`
    await sql.unsafe(`
      insert into users (username, network_name, password_hash, role, created_at, updated_at) values ('ada', 'ada', '', 'standard', now(), now());
      insert into todos (user_id, title, priority, rank, created_at, updated_at)
        select 1, n, 'none', n, ${at}, ${at} from generate_series(1, 4) as n;
      insert into todo_texts (todo_id, user_id, text, said) values
        (1, 1, E'BEGIN:VTODO\\r\\nX-APPLE-SORT-ORDER:42\\r\\nEND:VTODO\\r\\n', '{"title": "1"}'),
        (2, 1, E'BEGIN:VTODO\\nx-apple-sort-order: -7 \\nEND:VTODO\\n', '{"title": "2"}'),
        (3, 1, E'BEGIN:VTODO\\r\\nDESCRIPTION:X-APPLE-SORT-ORDER:9\\r\\nX-APPLE-SORT-ORDER:soon\\r\\nEND:VTODO\\r\\n', '{"title": "3"}');
      update todos set title = 'One', version = 2 where id = 1;
      update todo_texts set said = '{"title": "One"}' where todo_id = 1;`)
    const noted = `select scope_kind, scope_id, item, seq from sync_changes order by 1, 2, 3`
    const images = `select count(*) from history`
    const known = [await rows(noted), await rows(images)]
    await applyMigrations(database.url, next.path)
    expect(await rows('select id, sort_order::integer, version from todos order by id')).toEqual([
      { id: 1, sort_order: 42, version: 2 },
      { id: 2, sort_order: -7, version: 1 },
      { id: 3, sort_order: null, version: 1 },
      { id: 4, sort_order: null, version: 1 },
    ])
    expect(await rows('select said from todo_texts order by todo_id')).toEqual([
      { said: { title: 'One', sortOrder: 42 } },
      { said: { title: '2', sortOrder: -7 } },
      { said: { title: '3' } },
    ])
    expect(
      await rows(
        `select tab, coalesce(before -> 'sort_order', before -> 'said' -> 'sortOrder') as number from history where before is not null order by tab`,
      ),
    ).toEqual([
      { tab: 'todo_texts', number: 42 },
      { tab: 'todos', number: 42 },
    ])
    expect([await rows(noted), await rows(images)]).toEqual(known)
  } finally {
    await sql.end({ timeout: 5 })
  }
})
