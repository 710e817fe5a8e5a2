import { Type } from '@sinclair/typebox'
import { badRequest } from '../../lib/errors'
import { mayRead } from '../../lib/scopes'
import { verbatim } from '../../lib/wire/schema'
import { answerFound } from '../finding/answer'
import { BEGINNING, Question, readCursor } from '../finding/question'
import { listed, readArguments, type Tool } from './tool'

const MAX_CURSOR = 8000

const Arguments = Type.Object({
  ...Question.properties,
  cursor: Type.Optional(verbatim({ max: MAX_CURSOR, description: 'next_cursor of an answer, alone.' })),
})

/** Finds records of all kinds in one shape. */
export const find: Tool = {
  name: 'find',
  isFor: (session) => (['calendars', 'tasks', 'people'] as const).some((area) => mayRead(session, area)),
  listedFor: () =>
    listed(
      {
        name: 'find',
        title: 'Find records',
        description:
          'Finds events, todos, reminders, tasks, people, birthdays, projects, calendars and todo lists, with the ids and versions that the other tools need. Without days, events of the next 30 days.',
      },
      Arguments,
      { isReading: true },
    ),
  call: async (assistant, call) => {
    const { cursor, ...asked } = readArguments(Arguments, call)
    if (cursor === undefined) return answerFound(assistant, asked, BEGINNING)
    if (Object.keys(asked).length > 0) throw badRequest('A cursor comes alone')
    const { asked: before, place } = readCursor(cursor)
    return answerFound(assistant, before, place)
  },
}
