import { type Reader, zoneOf } from '../../../access/reader/service'
import { lockUserOf } from '../../../access/sessions/service'
import type { Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { readTodoObject, textsOfTodos, type WrittenTodo, writeTodo } from '../../tasks/todo-files/service'
import { textsOfReminders, writeReminder } from '../../tasks/reminder-files/service'
import { deleteReminder } from '../../tasks/reminders/service'
import { requireTodoList } from '../../tasks/todo-lists/service'
import { deleteTodo } from '../../tasks/todos/service'
import type { Collection } from '../collections/rules'
import { findBeside } from '../neighbours/service'
import {
  type GivenObject,
  holderInTheWay,
  named,
  type ObjectRefusal,
  type PutObject,
  refusalOfProblem,
} from '../sources/rules'
import { changeObject, type ObjectJournal, type ObjectSource } from '../sources/service'
import * as q from './queries'
import { seenOf } from './rules'
import { moveObject } from './service.move'

const readObjects: ObjectSource['read'] = async (deps, collection, entries) => {
  const textsOf = collection.kind === 'reminders' ? textsOfReminders : textsOfTodos
  const texts = await textsOf(
    deps,
    deps.db,
    entries.map(({ id }) => id),
  )
  return entries.flatMap((entry) => {
    const found = texts.get(entry.id)
    return found ? { ...entry, ...found } : []
  })
}

function journalOf(collection: Collection): ObjectJournal {
  const seen = seenOf(collection)
  return {
    part: { ...seen, place: collection.place },
    changedSince: (tx, place, most) => q.changedSince(tx, seen, place, most),
    named: (tx, names) => q.named(tx, seen, names),
  }
}

/** Creates or replaces a todo or reminder (contract: dav.todos). @throws {AppError} 401, 404, 409 for too many. */
async function putObject(deps: Deps, reader: Reader, given: GivenObject): Promise<PutObject | ObjectRefusal> {
  const read = await readTodoObject(deps, given.text, zoneOf(deps.config, reader.owner))
  if (read.kind === 'problem') return refusalOfProblem(read.problem)
  if (read.kind === 'other') return { kind: 'component' }
  return changeObject(deps.db, (tx) => store(tx, deps, reader, { ...given, todo: read.todo }), reader.userId)
}

async function store(
  tx: Tx,
  deps: Deps,
  reader: Reader,
  { collection, name, check, todo }: GivenObject & { readonly todo: WrittenTodo },
): Promise<PutObject | ObjectRefusal> {
  const now = deps.clock.now()
  const seen = seenOf(collection)
  await lockUserOf(tx, reader, now)
  if (seen.kind === 'list') await requireTodoList(tx, reader.userId, seen.id)
  const [present] = await q.named(tx, seen, [name])
  const beside = await findBeside(tx, collection, { name, uid: todo.key })
  check(present ?? named(beside, name))
  const other = beside ?? holderInTheWay(present, await q.withUid(tx, seen, todo.key))
  if (other) return { kind: 'uid', name: other.name }
  const place = { reader, now, id: present?.id, name }
  const { id, version } =
    seen.kind === 'list'
      ? await writeTodo(tx, deps, { ...place, listId: seen.id }, todo)
      : await writeReminder(tx, deps, place, todo)
  const kind = seen.kind === 'list' ? 'todo' : 'reminder'
  return { object: { kind, id, version, name, updatedAt: now }, isNew: !present }
}

/** The todos of lists, and reminders. */
export const todoObjects: ObjectSource = {
  list: (db, collection) => q.list(db, seenOf(collection)),
  find: (db, collection, names) => q.named(db, seenOf(collection), names),
  read: readObjects,
  journals: (collection) => [journalOf(collection)],
  put: putObject,
  move: moveObject,
  remove: (deps, reader, { kind, id }, expected) =>
    kind === 'todo'
      ? deleteTodo(deps, reader, { id, expected })
      : deleteReminder(deps, reader, { id, expected }),
}
