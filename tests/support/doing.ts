import {
  type Deed,
  deed,
  todos,
  calendar,
  SERIES,
  at,
  series,
  project,
  one,
  todo,
  todoList,
  reminder,
  template,
  file,
} from './doing.scene'
import { OF_PEOPLE } from './doing.people'
import { did } from './undoing'

/** Changes that can be undone, by the id of their operation: each with what it needs, and then itself. */
export const DEEDS: readonly Deed[] = [
  deed('createTodo', 'between others', async (scene) => {
    await todos(scene)
    return () => did(scene.me, 'POST /api/todos', { title: 'New', position: 2 })
  }),
  deed(
    'changeTodo',
    'moves and renames it',
    one(todo, 'PUT', (id) => `/api/todos/${id}`, { title: 'Other', position: 4 }),
  ),
  deed(
    'toggleTodo',
    'completes a recurring one',
    one(todo, 'POST', (id) => `/api/todos/${id}/toggle`),
  ),
  deed('changeTodo', 'moves it to another list', async (scene) => {
    const [id, { id: other }] = [await todo(scene), await todoList(scene)]
    return () => did(scene.me, `PUT /api/todos/${id}`, { list_id: other })
  }),
  deed(
    'createTodoList',
    'as the default, before others',
    async ({ me }) =>
      () =>
        did(me, 'POST /api/todo-lists', { name: 'Shopping', is_default: true, position: 1 }),
  ),
  deed('changeTodoList', 'makes it the default and the first', async (scene) => {
    const { id } = await todoList(scene)
    return () => did(scene.me, `PUT /api/todo-lists/${id}`, { is_default: true, name: 'Shops', position: 1 })
  }),
  deed('deleteTodoList', 'with its todos', async (scene) => {
    const { id } = await todoList(scene)
    return () => did(scene.me, `DELETE /api/todo-lists/${id}`)
  }),
  deed(
    'deleteTodo',
    'from the middle',
    one(todo, 'DELETE', (id) => `/api/todos/${id}`),
  ),
  deed('reorderTodos', 'turns the list round', async (scene) => {
    const made = await todos(scene)
    const all: Array<{ id: number }> = (await scene.me.request('GET', '/api/todos')).body.todos
    const others = all.map(({ id }) => id).filter((id) => !made.includes(id))
    return () => did(scene.me, 'PUT /api/todos/reorder', { todo_ids: [...made.toReversed(), ...others] })
  }),
  deed(
    'createReminder',
    '',
    async ({ me }) =>
      () =>
        did(me, 'POST /api/reminders', { title: 'Call', remind_at: '2026-03-05T12:00' }),
  ),
  deed(
    'changeReminder',
    '',
    one(reminder, 'PUT', (id) => `/api/reminders/${id}`, { title: 'Write', remind_at: '2026-04-05T12:00' }),
  ),
  deed(
    'snoozeReminder',
    '',
    one(reminder, 'PUT', (id) => `/api/reminders/${id}/snooze`, { minutes: 30 }),
  ),
  deed(
    'dismissReminder',
    '',
    one(reminder, 'PUT', (id) => `/api/reminders/${id}/dismiss`),
  ),
  deed(
    'deleteReminder',
    '',
    one(reminder, 'DELETE', (id) => `/api/reminders/${id}`),
  ),
  deed('createProject', 'before others', async (scene) => {
    await project(scene)
    return () => did(scene.me, 'POST /api/projects', { name: 'Garden', position: 1 })
  }),
  deed('changeProject', '', async (scene) => {
    const { id } = await project(scene)
    return () => did(scene.me, `PUT /api/projects/${id}`, { name: 'Home', color: '#123456' })
  }),
  deed('deleteProject', 'with tasks, subtasks and comments', async (scene) => {
    const { id } = await project(scene)
    return () => did(scene.me, `DELETE /api/projects/${id}`)
  }),
  deed('reorderProjects', '', async (scene) => {
    await project(scene)
    await project(scene)
    const all: Array<{ id: number }> = (await scene.me.request('GET', '/api/projects')).body.projects
    return () =>
      did(scene.me, 'PUT /api/projects/reorder', { project_ids: all.map(({ id }) => id).toReversed() })
  }),
  deed('createTask', '', async (scene) => {
    const { path } = await project(scene)
    return () => did(scene.me, `POST ${path}`, { title: 'Another', position: 2 })
  }),
  deed('changeTask', 'puts it below another', async (scene) => {
    const { path, tasks, first } = await project(scene)
    return () => did(scene.me, `PUT ${path}/${tasks[2]}`, { parent_task_id: first, status: 'completed' })
  }),
  deed('deleteTask', 'with subtasks and comments', async (scene) => {
    const { path, first } = await project(scene)
    return () => did(scene.me, `DELETE ${path}/${first}`)
  }),
  deed('reorderTasks', '', async (scene) => {
    const { path, tasks } = await project(scene)
    return () => did(scene.me, `PUT ${path}/reorder`, { task_ids: tasks.toReversed() })
  }),
  deed('createComment', '', async (scene) => {
    const { path, first } = await project(scene)
    return () => did(scene.me, `POST ${path}/${first}/comments`, { body: 'And more' })
  }),
  deed('changeComment', '', async (scene) => {
    const { path, first, comment } = await project(scene)
    return () => did(scene.me, `PUT ${path}/${first}/comments/${comment}`, { body: 'Not so well' })
  }),
  deed('deleteComment', '', async (scene) => {
    const { path, first, comment } = await project(scene)
    return () => did(scene.me, `DELETE ${path}/${first}/comments/${comment}`)
  }),
  deed(
    'createCalendar',
    'as the default',
    async ({ me }) =>
      () =>
        did(me, 'POST /api/calendars', { name: 'Work', is_default: true }),
  ),
  deed(
    'changeCalendar',
    'makes it the default',
    one(
      (scene) => calendar(scene),
      'PUT',
      (id) => `/api/calendars/${id}`,
      { is_default: true, name: 'Work' },
    ),
  ),
  deed(
    'deleteCalendar',
    'with a series, its differences and answers, and a template that names it',
    async (scene) => {
      const id = await calendar(scene)
      await series(scene, id)
      await did(scene.me, 'POST /api/event-templates', { name: 'Sing', title: 'Sing', calendar_id: id })
      return () => did(scene.me, `DELETE /api/calendars/${id}`)
    },
  ),
  deed('importCalendar', 'adds and changes events', async (scene) => {
    const id = await calendar(scene)
    await did(scene.me, `POST /api/calendars/${id}/import`, file('One', 'Two'), 'text/calendar')
    return () =>
      did(scene.me, `POST /api/calendars/${id}/import`, file('One', 'Zwei', 'Drei'), 'text/calendar')
  }),
  deed(
    'createEvent',
    '',
    async ({ me }) =>
      () =>
        did(me, 'POST /api/events', SERIES),
  ),
  deed(
    'changeEvent',
    'the whole series',
    one(
      (scene) => series(scene),
      'PUT',
      (id) => `/api/events/${id}`,
      { start_at: '2026-03-11T09:00', end_at: '2026-03-11T11:00' },
    ),
  ),
  deed(
    'changeEvent',
    'one occurrence',
    one(
      (scene) => series(scene),
      'PUT',
      (id) => `/api/events/${id}${at('this', 11)}`,
      { start_at: '2026-03-11T14:00', end_at: '2026-03-11T15:00' },
    ),
  ),
  deed(
    'changeEvent',
    'one occurrence and later ones',
    one(
      (scene) => series(scene),
      'PUT',
      (id) => `/api/events/${id}${at('following', 12)}`,
      { location: 'Hall' },
    ),
  ),
  deed('changeEvent', 'to another calendar', async (scene) => {
    const [id, other] = [await series(scene), await calendar(scene)]
    return () => did(scene.me, `PUT /api/events/${id}`, { calendar_id: other })
  }),
  deed(
    'deleteEvent',
    'the whole series',
    one(
      (scene) => series(scene),
      'DELETE',
      (id) => `/api/events/${id}`,
    ),
  ),
  deed(
    'deleteEvent',
    'one occurrence',
    one(
      (scene) => series(scene),
      'DELETE',
      (id) => `/api/events/${id}${at('this', 15)}`,
    ),
  ),
  deed(
    'deleteEvent',
    'one occurrence and later ones',
    one(
      (scene) => series(scene),
      'DELETE',
      (id) => `/api/events/${id}${at('following', 12)}`,
    ),
  ),
  deed(
    'createEventTemplate',
    '',
    async ({ me }) =>
      () =>
        did(me, 'POST /api/event-templates', { name: 'Lunch', title: 'Lunch' }),
  ),
  deed(
    'changeEventTemplate',
    '',
    one(template, 'PUT', (id) => `/api/event-templates/${id}`, { title: 'Sit down' }),
  ),
  deed(
    'deleteEventTemplate',
    '',
    one(template, 'DELETE', (id) => `/api/event-templates/${id}`),
  ),
  ...OF_PEOPLE,
  deed(
    'changeSettings',
    'with the day of birth',
    async ({ me }) =>
      () =>
        did(me, 'PUT /api/settings', {
          first_name: 'Ada',
          date_of_birth: '1985-12-10',
          first_day_of_week: 1,
        }),
  ),
]
