import type { ChangeView } from '../../features/overview/changes/model'
import { isSame } from './effects'
import { type Fields, nameOf } from './kinds'

/** What a window shows of records that are not events: calendars' names, colours and rights, birthdays, the zone of the days. */
const SHOWN: Partial<Record<ChangeView['type'], readonly string[]>> = {
  calendar: ['name', 'color', 'access', 'is_visible'],
  settings: ['time_zone'],
  person: ['birthday', 'first_name', 'last_name', 'nickname'],
}

/** Tells which rows change what windows of events show. */
export class WindowChanges {
  /** Records that a reading told before the feed did. */
  readonly #read = new Set<string>()

  /**
   * A record that a reading tells for the first time is no change: the windows show it already, unless it changed between the two,
   * of which the feed tells then.
   */
  concerns({ type, id, item }: ChangeView, known: object | undefined, isFed: boolean): boolean {
    const names = SHOWN[type]
    if (!names) return false
    const name = nameOf({ kind: type, id })
    if (!isFed && known === undefined) {
      this.#read.add(name)
      return false
    }
    const [old, recent]: Fields[] = [{ ...known }, { ...item }]
    const isOther = names.some((field) => !isSame(old?.[field], recent?.[field]))
    return (isFed && this.#read.delete(name)) || isOther
  }
}
