/** Mutants that no test can kill, as nothing that anybody could see differs. */
export interface Explained {
  readonly file: string
  /** The line on which it begins. */
  readonly line: string
  readonly code: string
  readonly becomes: string
  readonly why: string
}

export const EXPLAINED: readonly Explained[] = []
