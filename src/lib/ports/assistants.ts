/** A JSON Schema of an object, as plain JSON. */
interface ObjectSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

/** A tool as assistants find it in the list (Model Context Protocol, revision 2026-07-28, section Tools). */
export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** A call of a tool, as it came. */
export interface ToolCall {
  readonly tool: string
  readonly given: unknown
  /** Whether the client can ask its user. */
  readonly canAsk: boolean
  /** What the user said to the question of an earlier answer; undefined when nothing was asked. */
  readonly reply: UserReply | undefined
}

export interface UserReply {
  /** The state of the question. The client can write anything into it. */
  readonly state: string
  readonly isYes: boolean
}

export type ToolAnswer =
  | {
      readonly kind: 'result'
      readonly isError: boolean
      readonly text: string
      readonly structured: Readonly<Record<string, unknown>>
    }
  /** Asks the user, and wants the same call again with the reply. */
  | { readonly kind: 'question'; readonly message: string; readonly state: string }

/** The service's side of one request. */
export interface Conversation {
  /** Of the service. */
  readonly version: string
  /** How the tools are meant to be used. */
  readonly instructions: string
  readonly tools: readonly ListedTool[]
  /** Undefined when there is no such tool. */
  readonly call: (call: ToolCall) => Promise<ToolAnswer | undefined>
  readonly onFailure: (error: Error) => void
}

/** Speaks the Model Context Protocol over HTTP, without sessions. */
export interface AssistantProtocol {
  /** Answers a request whose body was read and parsed. */
  answer(request: Request, body: unknown, conversation: Conversation): Promise<Response>
}
