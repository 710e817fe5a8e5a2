import { expect } from 'bun:test'
import type { administer } from './database'
import type { Actor } from './harness'

type Admin = ReturnType<typeof administer>

/** How many records of a kind a user may have. */
export const MANY = 250_000
/** How many of them others may fill, in calendars that are shared with them. */
export const FOR_OTHERS = 200_000

/** As if the user had so many records of the kind. */
export const pretendCount = (admin: Admin, { row }: Pick<Actor, 'row'>, kind: string, count: number) => admin`
  insert into tallies (kind, owner_id, count) values (${kind}, ${row.id}, ${count})
  on conflict (kind, owner_id) do update set count = ${count}`

/** The tallies, and what a count of all lists says instead. */
export async function countsOf(admin: Admin) {
  const tallied = await admin`select kind, owner_id, count from tallies order by 1, 2`
  const counted = await admin`
    select 'todos' as kind, user_id as owner_id, count(*)::integer from todos group by 2
    union all select 'todo_lists', user_id, count(*)::integer from todo_lists group by 2
    union all select 'projects', user_id, count(*)::integer from projects group by 2
    union all select 'tasks', project_id, count(*)::integer from project_tasks where parent_task_id is null group by 2
    union all select 'subtasks', parent_task_id, count(*)::integer from project_tasks where parent_task_id is not null group by 2
    union all select 'all_tasks', user_id, count(*)::integer
      from project_tasks join projects on projects.id = project_id group by 2
    union all select 'comments', author_id, count(*)::integer from task_comments group by 2
    union all select 'calendars', user_id, count(*)::integer from calendars group by 2
    union all select 'feeds', user_id, count(*)::integer from calendar_feeds join calendars on id = calendar_id group by 2
    union all select 'events', user_id, count(*)::integer
      from events join calendars on calendars.id = calendar_id group by 2
    union all select 'occurrences', user_id, count(*)::integer from event_occurrences
      join events on events.id = event_id join calendars on calendars.id = calendar_id group by 2
    union all select 'responses', user_id, count(*)::integer from occurrence_responses
      join event_invitations on event_invitations.id = invitation_id group by 2
    union all select 'event_templates', user_id, count(*)::integer from event_templates group by 2
    union all select 'reminders', user_id, count(*)::integer from reminders group by 2
    union all select 'address_books', user_id, count(*)::integer from address_books group by 2
    union all select 'people', user_id, count(*)::integer
      from (select user_id from people union all select user_id from loose_cards) as cards group by 2
    order by 1, 2`
  return { tallied: [...tallied], counted: [...counted] }
}

/** Answers how many tallies there are. */
export async function expectTrueTallies(admin: Admin) {
  const { tallied, counted } = await countsOf(admin)
  expect(tallied).toEqual(counted)
  return counted.length
}
