import { type Intent, lanesOf, withId } from './commands'
import type { RecordKind, RecordName } from './kinds'

/** The service's ids of records that were made on this device, and this device's. */
export class LocalIds {
  readonly #ids = new Map<number, number>()
  readonly #locals = new Map<string, number>()
  /** Called with the id that the service gave in the place of this device's. */
  onLearnt: (local: number, id: number) => void = () => {}

  learn(kind: RecordKind, local: number, id: number): void {
    this.#ids.set(local, id)
    this.#locals.set(`${kind}:${id}`, local)
    this.onLearnt(local, id)
  }

  real = (id: number): number => this.#ids.get(id) ?? id
  local = ({ kind, id }: RecordName): number => this.#locals.get(`${kind}:${id}`) ?? id

  /** A page may still name a record by this device's id. */
  renamed<I extends Intent>(intent: I): I {
    let result = intent
    for (const lane of lanesOf(intent)) {
      const local = Number(/-\d+$/.exec(lane)?.[0])
      const id = this.#ids.get(local)
      if (id !== undefined) result = withId(result, local, id)
    }
    return result
  }
}
