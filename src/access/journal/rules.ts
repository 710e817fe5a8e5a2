/** How long the journal knows what was deleted (contract: changes.kept). */
export const DELETIONS_KEPT_DAYS = 400

/** This journal, of which every timeline of the database server has a part (contract: changes.timelines). */
export interface Journal {
  readonly epoch: string
  /** Names the server and its timelines, the first one first. */
  readonly branches: readonly string[]
}

/** Names the journal on a timeline. */
export const nameOn = ({ epoch, branches }: Journal, timeline: number): string =>
  `${epoch}-${branches[timeline - 1]}`

/** The timeline that a name names; undefined where it names another journal. */
export function timelineOf({ epoch, branches }: Journal, name: string): number | undefined {
  const [given, branch = ''] = name.split('-')
  const index = branches.indexOf(branch)
  return given === epoch && index !== -1 ? index + 1 : undefined
}
