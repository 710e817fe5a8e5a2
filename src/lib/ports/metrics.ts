export interface CompletedRequest {
  readonly method: string
  /** The pattern, never the path: `/api/todos/:id`. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
}

export interface Metrics {
  observeRequest(request: CompletedRequest): void
  /** Counts a request that was refused because of its access token. */
  countWrongToken(): void
  /** How many live updates are open. */
  setStreams(open: number): void
  countEndedStream(reason: string): void
  /** How many items the journal knows, about. */
  setJournalSize(items: number): void
  /** How many rows the history has, about, and what they take on the disk with their indexes. */
  setHistorySize(size: { readonly rows: number; readonly bytes: number }): void
  /** The metrics as text, with its media type. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>
}
