/** Bounds of what a report may cost, in units of about a microsecond, so that a hostile text or query delays nobody else. */

/** The preconditions of RFC 4791 and RFC 6352 that a query can fail. */
type QueryPrecondition =
  | 'valid-filter'
  | 'supported-filter'
  | 'supported-collation'
  | 'valid-calendar-data'
  | 'number-of-matches-within-limits'
  | 'max-instances'

/** What a report asks for cannot be given. */
export class QueryRefusal extends Error {
  override name = 'QueryRefusal'
  readonly precondition: QueryPrecondition

  constructor(precondition: QueryPrecondition, message: string) {
    super(message)
    this.precondition = precondition
  }
}

/** A failure to read a query. */
export interface QueryProblem {
  readonly precondition: QueryPrecondition
  /** What is wrong, as a sentence. */
  readonly problem: string
}

/** One object costs more than it may. */
export class ObjectTooCostly extends Error {
  override name = 'ObjectTooCostly'
}

export interface Effort {
  /** @throws {QueryRefusal} when the report, @throws {ObjectTooCostly} when the object has cost enough. */
  readonly spend: (units: number) => void
}

const OF_REPORT = 1_000_000
/** Nobody else runs while an object is looked at (contract: dav.costs). */
const OF_OBJECT = 40_000

/** The effort of a whole report. */
export function reportEffort(most = OF_REPORT): Effort {
  let left = most
  return {
    spend(units) {
      left -= units
      if (left < 0) {
        throw new QueryRefusal('number-of-matches-within-limits', 'The report would take too long.')
      }
    },
  }
}

/** The part of it that one object may have. */
export function objectEffort(report: Effort, most = OF_OBJECT): Effort {
  let left = most
  return {
    spend(units) {
      report.spend(units)
      left -= units
      if (left < 0) throw new ObjectTooCostly('the object costs too much')
    },
  }
}
