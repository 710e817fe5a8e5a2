import { Type } from '@sinclair/typebox'
import { todayOf } from '../../access/reader/service'
import { invalid } from '../../lib/errors'
import { mayRead } from '../../lib/scopes'
import { daysBetween } from '../../lib/time/wall-time'
import { day } from '../../lib/wire/schema'
import { answerFound } from '../finding/answer'
import { BEGINNING } from '../finding/question'
import { weekdayOf } from '../items/item'
import { listed, readArguments, type Tool } from './tool'

/** The longest time that one looks at, in days. */
const MOST_DAYS = 31

const Arguments = Type.Object({ from: Type.Optional(day()), to: Type.Optional(day()) })

/** Shows what is to come on some days of the user, by their clocks. */
export const overview: Tool = {
  name: 'overview',
  isFor: (session) => mayRead(session, 'calendars') || mayRead(session, 'tasks'),
  listedFor: () =>
    listed(
      {
        name: 'overview',
        title: 'Look at a day or a week',
        description:
          "What is on from one day to another, both included, by default today in the user's time zone: events, open todos, reminders and tasks that are due, and birthdays. From today on, what is overdue, too.",
      },
      Arguments,
      { isReading: true },
    ),
  call: (assistant, call) => {
    const { deps, session } = assistant
    const today = todayOf(deps, session.owner)
    const { from = today, to = from } = readArguments(Arguments, call)
    const days = daysBetween(from, to)
    if (days < 0 || days >= MOST_DAYS) {
      throw invalid([{ field: 'to', message: `must be within ${MOST_DAYS - 1} days after from` }])
    }
    const kinds = ['event', 'todo', 'reminder', 'task', 'birthday'] as const
    const overdue = from <= today && today <= to
    const head = { from, to, today, weekday: weekdayOf(today) }
    return answerFound(assistant, { kinds: [...kinds], from, to, overdue, unfinished: true }, BEGINNING, head)
  },
}
