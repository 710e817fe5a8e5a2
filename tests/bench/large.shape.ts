/** Who there is in a seeded database, and what each has, as SQL. Users are numbered from 1. */

/** Households of 2, 3, 4, 5 and 6 users, again and again. */
export const CYCLE = 20
const OWNERS = [0, 2, 5, 9, 14]

/** Of ten users four have little, four some, one much and one very much: on average 98 events and 195 todos. */
const EVENTS_OF_TEN = [10, 68, 10, 196, 68, 10, 68, 472, 10, 68]
const TODOS_OF_TEN = [20, 135, 20, 390, 135, 20, 135, 940, 20, 135]
/** Besides, one of ten thousand, at least one, has far more than anybody else. */
export const POWER = { events: 20_000, todos: 50_000 }
const POWER_AMONG = 10_000

interface Batch {
  /** The numbers of the first and the last user. */
  readonly from: number
  readonly to: number
  /** The id of the user with the number 1. */
  readonly firstId: number
}

const list = (values: readonly number[]) => `array[${values.join()}]`
const words = (values: string) => `string_to_array('${values}', ' ')`

const VERBS = words('Call Buy Fetch Pay Plan Write Clean Mend Bring Ask Book Check Order Read Send Visit')
const THINGS = words(
  'dentist milk parcel rent holiday letter kitchen bicycle cake plumber flight heating tyres report invoice grandparents school garden insurance doctor todo present',
)
const title = (salt: string) =>
  `(${VERBS})[1 + (${salt}) * 7 % 16] || ' the ' || (${THINGS})[1 + (${salt}) * 13 % 22]`

/** The id of the user who owns the calendar of the household of the one with this id. */
const householdOf = (id: string, firstId: number) => {
  const place = `((${id} - ${firstId}) % ${CYCLE})`
  const first = `(${list(OWNERS)})[width_bucket(${place}, ${list(OWNERS)})]`
  return `(${id} - ${place} + ${first})`
}

/** Writes users with settings, calendars, people, reminders and households; triggers add lists, address books, journal and tallies. */
export function structuresOf({ from, to, firstId }: Batch): readonly string[] {
  const ids = `between ${firstId + from - 1} and ${firstId + to - 1}`
  const owner = (id: string) => householdOf(id, firstId)
  const calendar = (name: string, color: string, columns: string, where: string) => `
    insert into calendars (user_id, name, color, ${columns}, created_at, updated_at)
    select id, '${name}', '${color}', true, created_at, created_at from users where id ${ids} and ${where}`
  return [
    `insert into users (username, network_name, password_hash, role, last_password_change_at, created_at, updated_at)
      select 'seed' || n, 'seed' || n, 'x', 'standard', at, at, at
      from (select n, date_trunc('day', now()) - make_interval(days => 60 + n % 300) as at from generate_series(${from}, ${to}) n) as m
      order by n`,
    `insert into settings (user_id, accept_connections, created_at, updated_at)
      select id, true, created_at, created_at from users where id ${ids}`,
    calendar('Personal', '#3b82f6', 'is_default', 'true'),
    calendar('Birthdays', '#f59e0b', 'is_system', 'true'),
    calendar('Family', '#10b981', 'is_visible', `${owner('id')} = id`),
    `insert into connection_requests (sender_id, receiver_id, status, responded_at, sender_network_name, receiver_network_name, created_at, updated_at)
      select a.id, b.id, 'accepted', b.created_at, a.network_name, b.network_name, b.created_at, b.created_at from users a join users b on b.id > a.id and b.id - a.id < 6
      where a.id ${ids} and b.id ${ids} and ${owner('a.id')} = ${owner('b.id')}`,
    `insert into connections (user_id, other_user_id, created_at, updated_at)
      select a.id, b.id, now(), now() from users a join users b on b.id <> a.id and abs(b.id - a.id) < 6
      where a.id ${ids} and b.id ${ids} and ${owner('a.id')} = ${owner('b.id')}`,
    `insert into people (user_id, linked_user_id, nickname, created_at, updated_at)
      select user_id, other_user_id, 'seed' || other_user_id - ${firstId - 1}, created_at, created_at
      from connections where user_id ${ids}`,
    `insert into people (user_id, first_name, last_name, birthday, created_at, updated_at)
      select id, 'First' || n, 'Last' || id % 1000, case when n < 3 then '19' || 60 + n || '-03-0' || 1 + id % 9 end, created_at, created_at
      from users, generate_series(1, 5) n where id ${ids}`,
    `insert into reminders (user_id, title, time_zone, remind_at, series_start, series_wall, created_at, updated_at)
      select id, ${title('id + n')}, 'UTC', at, at, at at time zone 'UTC', created_at, created_at
      from users, generate_series(1, 2) n, lateral (select date_trunc('day', now()) + (n - 1) * interval '60 days' as at) m
      where id ${ids}`,
    `insert into calendar_members (calendar_id, user_id, permission, status, created_at, updated_at)
      select calendars.id, users.id, 'write', 'accepted', calendars.created_at, calendars.created_at
      from users join calendars on calendars.user_id = ${owner('users.id')} and name = 'Family'
      where users.id ${ids} and users.id <> calendars.user_id`,
  ]
}

interface Items extends Batch {
  /** How many users there are in all, and what the first ones have. */
  readonly users: number
  readonly power: typeof POWER
  /** Whether lists of todos have scopes of their own. */
  readonly hasLists: boolean
}

/** Steps the counters of scopes by how many items `of` has for each, and notes these after what was noted before. */
const noted = (kind: string, scope: string, type: string, of: string) => [
  `stepped_${kind} as (
    insert into sync_scopes as s (kind, id, seq, is_new_to_push)
    select '${kind}', ${scope}, count(*), false from ${of} group by 2 order by 2
    on conflict (kind, id) do update set seq = s.seq + excluded.seq returning id, seq
  )`,
  `noted_${kind} as (
    insert into sync_changes (scope_kind, scope_id, type, item, gone, seq)
    select '${kind}', ${scope}, '${type}', made.id, false,
      stepped.seq + 1 - row_number() over (partition by ${scope} order by made.id desc)
    from ${of} made join stepped_${kind} stepped on stepped.id = ${scope}
  )`,
]

/** Writes the events and todos of the users, with their journal and tallies. */
export function itemsOf({ from, to, firstId, users, power, hasLists }: Items): readonly string[] {
  const ids = `between ${firstId + from - 1} and ${firstId + to - 1}`
  const size = (many: number, ofTen: readonly number[]) =>
    `case when users.id < ${firstId + Math.max(1, Math.floor(users / POWER_AMONG))} then ${many} else (${list(ofTen)})[1 + users.id % 10] end`
  const todos = `made as (
    insert into todos (user_id, list_id, title, description, priority, due_date, due_day, category, completed_at, rank, created_at, updated_at)
    select user_id, list_id, ${title('user_id + n')}, case when n % 5 = 4 then 'As it was agreed on the phone in the morning' end,
      (array['none', 'low', 'none', 'high', 'medium'])[1 + n % 5], due, extract(day from due), case when n % 7 = 0 then 'House' end,
      case when n % 5 < 3 then at end, n, at, at
    from (
      select todo_lists.user_id, todo_lists.id as list_id, n, case when n % 3 > 0 then current_date + (users.id + n * 7) % 400 - 300 end as due,
        now() - make_interval(days => 31 + n % 700)::interval(3) as at
      from users join todo_lists on user_id = users.id and is_default, generate_series(1, ${size(power.todos, TODOS_OF_TEN)}) n
      where users.id ${ids} order by user_id, n
    ) as wanted returning id, user_id, list_id
  )`
  // Of ten events one takes a day, one of twenty repeats weekly. The owner of a household's calendar puts each third there.
  const events = `made as (
    insert into events (calendar_id, title, location, all_day, start_at, end_at, start_wall, time_zone, start_date, end_date, recurrence_rule,
      last_end_at, last_end_date, created_at, updated_at)
    select calendar_id, ${title('calendar_id + n')}, case when n % 4 = 3 then 'Main street' end, day is not null, start, start + interval '1 hour',
      start at time zone 'Europe/Berlin', case when day is null then 'Europe/Berlin' end, day, day,
      case when is_series then 'FREQ=WEEKLY' end,
      case when not is_series then start + interval '1 hour' end, case when not is_series then day end, at, at
    from (
      select coalesce(case when n % 3 = 0 then family.id end, personal.id) as calendar_id, n, n % 20 = 7 as is_series,
        case when n % 10 = 3 then current_date + (users.id + n * 11) % 1096 - 730 end as day,
        case when n % 10 <> 3 then
          ((current_date + (users.id + n * 11) % 1096 - 730) + make_interval(hours => 7 + n % 11)) at time zone 'UTC' end as start,
        now() - make_interval(days => 31 + n % 700)::interval(3) as at
      from users join calendars personal on personal.user_id = users.id and personal.is_default
        left join calendars family on family.user_id = users.id and family.name = 'Family',
        generate_series(1, ${size(power.events, EVENTS_OF_TEN)}) n
      where users.id ${ids} order by calendar_id, n
    ) as wanted returning id, calendar_id
  )`
  return [
    `with ${[todos, ...noted('u', 'user_id', 'todo', 'made'), ...(hasLists ? noted('l', 'list_id', 'todo', 'made') : [])].join()}
      insert into tallies (kind, owner_id, count) select 'todos', user_id, count(*) from made group by 2`,
    `with ${[events, ...noted('c', 'calendar_id', 'event', 'made')].join()}
      insert into tallies (kind, owner_id, count)
      select 'events', user_id, count(*) from made join calendars on calendars.id = calendar_id group by 2`,
  ]
}
