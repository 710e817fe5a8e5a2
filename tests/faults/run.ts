import { fileURLToPath } from 'node:url'

/**
 * `bun run faults` runs what breaks things, and then the overload; with `overload` or `failover` it runs that alone. Failovers take a
 * cluster, so nothing else runs them.
 */
const [what, ...more] = process.argv.slice(2)
const all = ['tests/support/run.ts tests/faults', 'tests/faults/overload.ts']
const programs = what === undefined ? all : [`tests/faults/${what}.ts`]

if (more.length > 0 || (what !== undefined && what !== 'failover' && what !== 'overload')) {
  console.error('Usage: bun run faults [failover | overload]')
  process.exit(2)
}
for (const program of programs) {
  const child = Bun.spawn({
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    cmd: [process.execPath, ...program.split(' ')],
    env: { ...process.env, FAULT_ROUNDS: '20', FAULT_PAUSE_SECONDS: '30' },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if ((await child.exited) !== 0) process.exit(1)
}
