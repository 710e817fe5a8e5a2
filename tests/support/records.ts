import type { Actor } from './harness'

type Fields = Readonly<Record<string, unknown>>

/** Makes a record and answers it; anything but 201 is an error. */
export async function make(actor: Pick<Actor, 'request'>, path: string, body: Fields) {
  const made = await actor.request('POST', path, { body })
  if (made.status !== 201) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`)
  return made.body
}

export const createTodo = (actor: Actor, fields: Fields = {}) =>
  make(actor, '/api/todos', { title: 'T', ...fields })

export const createReminder = (actor: Actor, fields: Fields = {}) =>
  make(actor, '/api/reminders', { title: 'T', ...fields })

export const createPerson = (actor: Actor, fields: Fields) => make(actor, '/api/people', fields)
