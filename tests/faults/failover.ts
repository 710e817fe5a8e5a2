import { hasCluster } from './failover/cluster'
import { surviveFailovers } from './failover/rounds'

/**
 * `bun run faults failover`: kills and pauses the primary of a PostgreSQL with Patroni, etcd and HAProxy, as the deployment guide sets
 * it up, ten times under load.
 */
const FAULTS = Array.from({ length: 10 }, (_, round) => (round % 2 === 0 ? 'kill' : 'pause'))

if (!hasCluster) {
  console.error('Patroni, etcd, HAProxy and the binaries of PostgreSQL 15 are needed.')
  process.exit(1)
}
const begun = performance.now()
try {
  await surviveFailovers({ faults: FAULTS, say: (line) => console.info(line) })
  console.info(`passed in ${Math.round((performance.now() - begun) / 1000)} s`)
  process.exit(0)
} catch (error) {
  console.error(error)
  process.exit(1)
}
