import { addSeconds } from '../../lib/time/time'

/** A change that a request makes for a user (contract: retries.operations). */
export interface Operation {
  /** UUID, version 7. The request continues an earlier import when it takes over that one's id. */
  id: string
  /** The operation's id in the OpenAPI document. */
  readonly name: string
  /** What names it in advance, so that a repeated request changes nothing. */
  readonly retry: Retry | undefined
  /** An import, which writes in several transactions, and so has no answer before it ends. */
  isOpen: boolean
  /** Whether the answer is kept, because no record can be read in its place. */
  readonly keepsAnswer: boolean
  /** Whether a transaction has begun that notes it. */
  hasBegun: boolean
}

/** A request that may come again. */
export interface Retry {
  /** The value of `Idempotency-Key`. */
  readonly key: string
  /** SHA-256 in hex of method, path, query and body. */
  readonly fingerprint: string
  /** What is stored of it: a signature, since a body may hold something that can be guessed. */
  readonly mark: string
}

/** Operations and what they changed are kept for so long. */
export const KEPT_DAYS = 30

/** An import that has not ended for so long was broken off: it is answered within a minute. */
const OPEN_SECONDS = 60

/** What has not ended since then was broken off. */
export const brokenOffBefore = (now: Date): Date => addSeconds(now, -OPEN_SECONDS)

/** Whether it is an import that has neither ended nor was broken off. */
export const isUnderWay = (
  { isOpen, createdAt }: { readonly isOpen: boolean; readonly createdAt: Date },
  now: Date,
): boolean => isOpen && createdAt > brokenOffBefore(now)
