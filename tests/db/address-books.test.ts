import { expect, test } from 'bun:test'
import journal from '../../drizzle/meta/_journal.json'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const h = useHarness()
const sql = useSql(h)

test('users of before get the address book Contacts with all their people, of now and of the history', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith('_address_books'))
  await using level = await firstMigrations(MIGRATIONS, before)
  await using next = await firstMigrations(MIGRATIONS, before + 1)
  await applyMigrations(database.url, level.path)
  const client = administer(database.url)
  try {
    await client.unsafe(`
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
        select name, name, '', 'standard', now(), now() from unnest(array['ada', 'bob']) as name;
      insert into people (user_id, nickname, version, created_at, updated_at)
        select id, 'P' || n, 3, now(), now() from users, generate_series(1, 2) as n order by id, n;
      update people set nickname = 'Q' where id = 1;
      delete from people where id = 2;`)
    const rows = async (query: string): Promise<unknown[]> => [...(await client.unsafe(query))]
    const known = Number((await client`select max(id) as id from history`)[0]?.['id'])
    await applyMigrations(database.url, next.path)
    expect(
      await rows(
        'select id, user_id, name, is_default, rank::integer, version from address_books order by id',
      ),
    ).toEqual([
      { id: 1, user_id: 1, name: 'Contacts', is_default: true, rank: 1, version: 1 },
      { id: 2, user_id: 2, name: 'Contacts', is_default: true, rank: 1, version: 1 },
    ])
    expect(await rows('select id, user_id, book_id, version from people order by id')).toEqual([
      { id: 1, user_id: 1, book_id: 1, version: 3 },
      { id: 3, user_id: 2, book_id: 2, version: 3 },
      { id: 4, user_id: 2, book_id: 2, version: 3 },
    ])
    const images = `select row_key, (before ->> 'book_id')::integer as book from history where before is not null order by id`
    expect(await rows(images)).toEqual([
      { row_key: '1', book: 1 },
      { row_key: '2', book: 1 },
    ])
    expect(await rows(`select from history where id > ${known}`)).toEqual([])
    expect(
      await rows("select owner_id, count from tallies where kind = 'address_books' order by owner_id"),
    ).toEqual([
      { owner_id: 1, count: 1 },
      { owner_id: 2, count: 1 },
    ])
    const noted = `select type, item from sync_changes where scope_id = 2 and not gone and type not in ('settings', 'todo_list') order by type, item`
    expect(await rows(noted)).toEqual([
      { type: 'address_book', item: 2 },
      { type: 'person', item: 3 },
      { type: 'person', item: 4 },
    ])
  } finally {
    await client.end({ timeout: 5 })
  }
})

test('what the release before writes gets an address book: its users the default one, its people that of their user', async () => {
  const stamps = 'now(), now()'
  const written = await sql.unsafe(`
    with user_of_before as (
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
        values ('before', 'before', '', 'standard', ${stamps}) returning id
    ) select id from user_of_before`)
  const id: number = written[0]?.['id']
  const [person] = await sql.unsafe(
    `insert into people (user_id, nickname, created_at, updated_at) values (${id}, 'P', ${stamps}) returning book_id`,
  )
  const books = await sql`select id, name, is_default from address_books where user_id = ${id}`
  expect([...books]).toEqual([{ id: person?.['book_id'], name: 'Contacts', is_default: true }])
})

test('a user has no second default address book', async () => {
  const { row } = await h.signedIn()
  const second = sql`insert into address_books (user_id, name, color, is_default, rank, created_at, updated_at)
    values (${row.id}, 'Other', '#000000', true, 2, now(), now())`
  expect(
    await second.then(
      () => 'written',
      (error: { constraint_name?: string }) => error.constraint_name,
    ),
  ).toBe('address_books_default_key')
})
