import type { Db } from './client'

/**
 * A query that is built and prepared once per database, on first use: building a Drizzle query per call costs several
 * times what running it does. `build` ends with `.prepare('<unique name>')`.
 */
export function prepared<Q>(build: (db: Db) => Q): (db: Db) => Q {
  const built = new WeakMap<Db, Q>()
  return (db) => {
    const known = built.get(db)
    if (known !== undefined) return known
    const query = build(db)
    built.set(db, query)
    return query
  }
}
