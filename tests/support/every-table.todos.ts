import { reminders, reminderTexts, todos, todoTexts } from '../../src/db/schema'
import type { Db } from '../../src/db/client'
import { IN_DEFAULT_LIST } from './todo-lists'

/** Texts that a careless copy would spoil. */
export const AWKWARD = [
  '\\.',
  'a\tb\nc\r\n\\N \\',
  '"quoted", {braces}',
  'Zoë 🎂 \u2028',
  '\\.\n\\.\n',
  ' ',
  'NULL',
]

/** Puts rows into the tables of todos and reminders. */
export async function fillTodos(
  db: Db,
  userId: number,
  stamps: { readonly createdAt: Date; readonly updatedAt: Date },
): Promise<void> {
  const text = AWKWARD.join('')
  const madeTodos = await db
    .insert(todos)
    .values(
      AWKWARD.map((title, i) => ({
        userId,
        listId: IN_DEFAULT_LIST,
        title,
        priority: 'low' as const,
        rank: `${i}.125`,
        dueDate: '2026-03-05',
        dueTime: '09:30',
        uid: title,
        objectName: title,
        ...stamps,
      })),
    )
    .returning()
  await db.insert(todoTexts).values(
    madeTodos.map(({ id, title }) => ({
      todoId: id,
      userId,
      text,
      said: {
        uid: title,
        version: 1,
        zone: 'Europe/Berlin',
        title,
        description: null,
        priority: 'low' as const,
        category: null,
        dueDate: null,
        dueTime: null,
        completedAt: null,
        recurrence: null,
      },
    })),
  )
  const madeReminders = await db
    .insert(reminders)
    .values(AWKWARD.map((title) => ({ userId, title, timeZone: 'Europe/Berlin', uid: title, ...stamps })))
    .returning()
  await db.insert(reminderTexts).values(
    madeReminders.map(({ id, title }) => ({
      reminderId: id,
      userId,
      text,
      said: {
        uid: title,
        version: 1,
        title,
        description: null,
        remindAt: null,
        recurrenceRule: null,
        completedAt: null,
        zone: 'Europe/Berlin',
        snoozedUntil: null,
        isActive: true,
      },
    })),
  )
}
