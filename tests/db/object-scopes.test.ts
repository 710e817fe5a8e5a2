import { expect, test } from 'bun:test'
import journal from '../../drizzle/meta/_journal.json'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'

test('todos, reminders and birthdays of before are in journals of their own, beyond all places that clients know', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_object_scopes'))
  await using level = await firstMigrations(MIGRATIONS, before)
  await using next = await firstMigrations(MIGRATIONS, before + 1)
  await applyMigrations(database.url, level.path)
  const sql = administer(database.url)
  try {
    const stamps = 'now(), now()'
    await sql.unsafe(`
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
        select name, name, '', 'standard', ${stamps} from unnest(array['ada', 'bob']) as name;
      insert into calendars (user_id, name, color, is_system, created_at, updated_at)
        select id, 'Birthdays', '#112233', true, ${stamps} from users order by id;
      insert into todo_lists (user_id, name, color, rank, created_at, updated_at) values (1, 'Empty', '#112233', 2, ${stamps});
      insert into todos (user_id, title, priority, rank, created_at, updated_at)
        select 1, n, 'none', n, ${stamps} from generate_series(1, 3) as n;
      insert into reminders (user_id, title, remind_at, series_start, series_wall, time_zone, created_at, updated_at) values (1, 'R', now(), now(), now(), 'UTC', ${stamps});
      insert into people (user_id, nickname, birthday, created_at, updated_at)
        select 1, n, '--03-0' || n, ${stamps} from generate_series(1, 3) as n;
      insert into people (user_id, nickname, created_at, updated_at) values (1, 'Unknown', ${stamps});
      delete from todos where id = 3;
      delete from people where id = 2;`)
    const rows = async (query: string): Promise<unknown[]> => [...(await sql.unsafe(query))]
    const seqOf = async (id: number) =>
      Number((await sql`select seq from sync_scopes where kind = 'u' and id = ${id}`)[0]?.['seq'])
    const [ada, bob] = [await seqOf(1), await seqOf(2)]
    await applyMigrations(database.url, next.path)
    const scopes = `select kind::text, id, seq::integer, floor::integer, is_new_to_push as push from sync_scopes`
    expect(await rows(`${scopes} where kind in ('l', 'r') order by kind, id`)).toEqual([
      { kind: 'l', id: 1, seq: ada + 3, floor: ada + 1, push: false },
      { kind: 'l', id: 2, seq: bob + 1, floor: bob + 1, push: false },
      { kind: 'l', id: 3, seq: ada + 1, floor: ada + 1, push: false },
      { kind: 'r', id: 1, seq: ada + 2, floor: ada + 1, push: false },
      { kind: 'r', id: 2, seq: bob + 1, floor: bob + 1, push: false },
    ])
    expect(await rows(`${scopes} where kind = 'c' order by id`)).toMatchObject([
      { id: 1, seq: ada + 3, floor: 0 },
      { id: 2, seq: bob, floor: 0 },
    ])
    const noted = `select scope_kind::text as kind, scope_id as id, type, item, seq::integer, gone from sync_changes`
    expect(
      await rows(
        `${noted} where scope_kind in ('l', 'r') or type = 'birthday' order by scope_kind, scope_id, seq`,
      ),
    ).toEqual([
      { kind: 'c', id: 1, type: 'birthday', item: 1, seq: ada + 1, gone: false },
      { kind: 'c', id: 1, type: 'birthday', item: 3, seq: ada + 2, gone: false },
      { kind: 'c', id: 1, type: 'birthday', item: 2, seq: ada + 3, gone: true },
      { kind: 'l', id: 1, type: 'todo', item: 1, seq: ada + 2, gone: false },
      { kind: 'l', id: 1, type: 'todo', item: 2, seq: ada + 3, gone: false },
      { kind: 'r', id: 1, type: 'reminder', item: 1, seq: ada + 2, gone: false },
    ])
    await sql.unsafe(
      `update todos set title = 'Other' where id = 1; update people set nickname = 'Q' where id = 1`,
    )
    expect(
      await rows(
        `${noted} where scope_kind <> 'u' and item = 1 and type in ('todo', 'birthday') order by type`,
      ),
    ).toMatchObject([
      { kind: 'c', seq: ada + 4 },
      { kind: 'l', seq: ada + 4 },
    ])
  } finally {
    await sql.end({ timeout: 5 })
  }
})
