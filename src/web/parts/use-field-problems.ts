import type { Refusal } from '../api/refusal'
import { useRefusals } from '../messages/refusals'
import { nameOf } from './use-form'

/** What is wrong in a form, in a sentence, by the name of the field. */
export type ShownProblems = Readonly<Record<string, string | undefined>>

/**
 * What the service refused, then what the form itself found. `places` says where fields of a request stand that have another
 * name in the form (contract: web.forms).
 */
export function useFieldProblems(
  refusal: Refusal | undefined,
  own: ReadonlyArray<readonly [name: string, sentence: string | undefined]>,
  places: Readonly<Record<string, string>> = {},
): ShownProblems {
  const { problem } = useRefusals()
  const theirs = (refusal?.errors ?? []).map(({ field, message }) => {
    const name = nameOf(field)
    return [places[name] ?? name, problem(message)] as const
  })
  return Object.fromEntries([...theirs, ...own])
}
