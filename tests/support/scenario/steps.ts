/** One request of the scenario, and the status that answers it. */
export interface Step {
  /** Whose cookie it carries, and who keeps the one that comes back. */
  readonly as: string
  /**
   * `METHOD path`. Here, in the headers and in the body, `{name.field}` is what an earlier answer held, and `{code:name.secret+1}` the
   * code of an authenticator, here of the next time step.
   */
  readonly send: string
  /** JSON, or a text as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly answers: number
  /** The name under which later steps find the answer's body. */
  readonly keep?: string
  /** The body says something about the process that gave it, and is nobody else's. */
  readonly isItsOwn?: boolean
}

export const PASSWORD = 'correct horse battery'
export const NEW_PASSWORD = 'a whole new password'

/** The scenario asks for metrics. */
export const METRICS_TOKEN = 'of-the-tests'
