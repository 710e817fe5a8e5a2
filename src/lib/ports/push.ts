/** The ntfy server and topic for a user's messages. */
export interface PushTarget {
  readonly serverUrl: string
  readonly topic: string
  readonly token: string | null
}

export interface PushMessage {
  readonly title: string
  readonly message: string
  /** 1 (lowest) to 5; 3 when not given. */
  readonly priority?: number
  /** Tags; the receiver shows those that name an emoji as that emoji. */
  readonly tags?: readonly string[]
  /** The URL to open when the message is tapped. */
  readonly click?: string
  /** `[-_A-Za-z0-9]`, up to 64 characters: a later message with the same id replaces the earlier one. */
  readonly sequenceId: string
}

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The server's name resolves to an address that is not global unicast; nothing was sent. */
  | { readonly kind: 'forbidden_address' }
  /** Any status except 2xx, including redirects. */
  | { readonly kind: 'refused'; readonly status: number }
  /** `reason` is one word for the log. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface PushServer {
  /** Never rejects. */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}
