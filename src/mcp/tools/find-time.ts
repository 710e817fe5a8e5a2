import { Type } from '@sinclair/typebox'
import type { FreeBusyView } from '../../features/events/free-times/model'
import { FreeBusyBody } from '../../features/events/free-times/model'
import { findTimes } from '../../features/events/free-times/service'
import { described } from '../../lib/wire/compact-schema'
import { mayRead } from '../../lib/scopes'
import { type Assistant, zoneFor } from '../assistant'
import { mostThatFit } from '../fitting'
import { weekdayOf } from '../items/item'
import { listed, readArguments, type Tool } from './tool'

const { from, to, minutes, with: guests, hours } = FreeBusyBody.properties

/** The list has to be short, so the description of the tool says what is to be known. */
const Arguments = Type.Object({
  from: described(from),
  to: described(to),
  minutes: described(minutes),
  with: described(guests),
  hours: described(hours),
})

/** Proposes times at which the user is free, and says which others are. */
export const findTime: Tool = {
  name: 'find_time',
  isFor: (session) => mayRead(session, 'calendars'),
  listedFor: () =>
    listed(
      {
        name: 'find_time',
        title: 'Find a time',
        description:
          'Proposes at most 20 times of so many minutes at which the user is free, those first at which the fewest others are busy. `from` and `to` (exclusive) are days or date-times, `hours` times of day, `with` the linked_user_id of people.',
      },
      Arguments,
      { isReading: true },
    ),
  call: async (assistant, call) => {
    const asked = readArguments(Arguments, call)
    return answer(assistant, await findTimes(assistant.deps, assistant.session, asked))
  },
}

function answer(assistant: Assistant, { proposals, people }: FreeBusyView) {
  const names = new Map(people.map(({ user_id, network_name }) => [user_id, network_name]))
  const namesOf = (ids: readonly number[]) => ids.map((id) => names.get(id) ?? id).join(', ')
  const lineOf = ({ from: start, to: end, free, busy, unknown }: FreeBusyView['proposals'][number]) =>
    [
      `${weekdayOf(start)} ${start} to ${end}: free ${namesOf(free)}`,
      ...(busy.length > 0 ? [`busy ${namesOf(busy)}`] : []),
      ...(unknown.length > 0 ? [`unknown ${namesOf(unknown)}`] : []),
    ].join('; ')
  return mostThatFit(proposals.length, Math.min(1, proposals.length), (count) => {
    const shown = proposals.slice(0, count)
    return {
      kind: 'result' as const,
      isError: false,
      text: [shown.length === 1 ? '1 time' : `${shown.length} times`, ...shown.map(lineOf)].join('\n'),
      structured: {
        time_zone: zoneFor(assistant),
        people,
        proposals: shown.map((one) => ({ ...one, weekday: weekdayOf(one.from) })),
      },
    }
  })
}
