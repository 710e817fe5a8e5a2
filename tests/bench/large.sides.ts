import { connect } from '../../src/db/client'
import { openSessions, type Session } from './accounts'
import { fillingService } from './dav.places'
import type { Place } from './dav.requests'
import { seed } from './endpoints'
import type { Seeded } from './large.seed'
import { CYCLE } from './large.shape'
import type { StartService } from './wrk'

/** A service on a database, and the users who are measured there: the same on the large and on the small one. */
export interface Side {
  readonly url: string
  readonly base: string
  readonly pid: number
  /** Those of the other measures, in the same order. */
  readonly users: readonly Session[]
  /** Of the seeded ones: who has far more than others, and a member of a household with a calendar of another one. */
  readonly power: Session
  readonly member: Session
  /** Others of the seeded ones. */
  readonly listeners: readonly Session[]
  /** A calendar of 1 000 objects. */
  readonly place: Place
}

const LISTENERS = 100
/** The second of a household of two, counted from 0 and beyond those of the largest database who have far more than others. */
const FIRST_MEMBER = CYCLE + 1
const OBJECTS = 1000

/** Adds the users and opens their sessions. */
async function people(url: string, { firstId }: Pick<Seeded, 'firstId'>) {
  const users = await seed(url)
  const { db, close } = connect(url, { pool: 1 })
  const others = Array.from({ length: LISTENERS + 1 }, (_, n) => firstId + FIRST_MEMBER + n)
  const [power, member, ...listeners] = await openSessions(db, [firstId, ...others])
  await close()
  if (!power || !member) throw new Error('too few users are seeded')
  return { users, power, member, listeners }
}

/** Runs until it is disposed of. */
export async function sideOn(
  startService: StartService,
  url: string,
  seeded: Pick<Seeded, 'firstId'>,
): Promise<Side & AsyncDisposable> {
  const who = await people(url, seeded)
  const { base, program } = await startService(url)
  const place = await fillingService(base, who.users)(8, OBJECTS)
  return {
    url,
    base,
    pid: program.pid,
    ...who,
    place,
    [Symbol.asyncDispose]: () => Promise.resolve(program[Symbol.asyncDispose]()),
  }
}
