import type { AssistantItem } from '../items/item'
import type { WritableKind } from './kinds'

/** The versions that a call itself has made: its later items may name the version from before it. */
export class OwnVersions {
  readonly #made = new Map<string, number[]>()

  /** The versions that the record may have. */
  expected(kind: WritableKind, id: number, version: number): number[] {
    return [version, ...(this.#made.get(`${kind} ${id}`) ?? [])]
  }

  note(kind: WritableKind, id: number, { version }: AssistantItem): void {
    const key = `${kind} ${id}`
    if (version !== undefined) this.#made.set(key, [...(this.#made.get(key) ?? []), version])
  }
}
