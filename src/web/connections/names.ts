import type { ConnectionView } from '../../features/people/connections/model'

type NamedUser = Pick<ConnectionView, 'network_name' | 'preferred_name'>

/** What a person is called: the name that they share, else the network name. */
export const nameOf = ({ preferred_name: name, network_name: handle }: NamedUser): string => name ?? handle

/** Both names, where they differ: “Ada (ada)”. */
export const wholeNameOf = ({ preferred_name: name, network_name: handle }: NamedUser): string =>
  name === null || name === handle ? handle : `${name} (${handle})`

const holds = (text: string, typed: string) => text.toLowerCase().includes(typed.trim().toLowerCase())

/** Those whose names have in them what is typed. */
export const matching = <P extends NamedUser>(people: readonly P[], typed: string): P[] =>
  people.filter((each) => holds(wholeNameOf(each), typed))

/** Whom the typed text means: the one who is called so, else the only one whose name has it in it. */
export function meant<P extends NamedUser>(people: readonly P[], typed: string): P | undefined {
  const name = typed.trim().toLowerCase()
  if (name === '') return undefined
  const isCalled = (each: NamedUser) =>
    [each.preferred_name, each.network_name, wholeNameOf(each)].some((known) => known?.toLowerCase() === name)
  const found = matching(people, typed)
  return found.find(isCalled) ?? (found.length === 1 ? found[0] : undefined)
}
