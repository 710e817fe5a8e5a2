import type { Actor } from './harness'
import { createTodo, make } from './records'

/** Todos of all kinds in two lists; `lists` are the words that are people's own. */
export async function fillTodos(actor: Actor) {
  const list = await make(actor, '/api/todo-lists', { name: 'Household', color: '#b4532a' })
  const train = await createTodo(actor, {
    title: 'Book the train',
    due_date: '2026-03-06',
    due_time: '18:00',
  })
  const body = { title: 'Book the train', priority: 'high', category: 'travel', description: 'Window seat' }
  await actor.request('PUT', `/api/todos/${train.id}`, {
    body: { ...body, due_date: '2026-03-03', due_time: null },
  })
  const long =
    'Ask the neighbours whether they could look after the tomatoes, the cat and the post while we are away in May'
  const others = [
    { title: 'Water the plants', recurrence: 'weekly', due_date: '2026-03-04', list_id: list.id },
    { title: long, priority: 'low', list_id: list.id, category: 'travel' },
    { title: 'Renew the passport', due_date: '2026-03-20', priority: 'medium' },
    { title: 'Clean the windows', recurrence: 'monthly', completed: true, list_id: list.id },
    { title: 'Return the books', completed: true },
  ]
  for (const fields of others) await createTodo(actor, fields)
  return {
    todo: train.id as number,
    lists: [
      'Household',
      'Todos',
      'travel',
      'Window seat',
      'Book the train',
      ...others.map(({ title }) => title),
    ],
  }
}
