import { parseArgs } from 'node:util'
import { soak } from './soak'

/**
 * `bun run soak`: two hours of a household at twenty times the speed of time, with restarts and jumps of the clock. `--minutes 10`
 * makes it shorter, `--speed 5` slower. It ends with 1 where something was lost, grew or failed.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    speed: { type: 'string', default: '20' },
  },
})
const [minutes, speed] = [Number(values.minutes), Number(values.speed)]
if (!(minutes > 0) || !(speed > 0)) throw new Error('usage: bun run soak [--minutes N] [--speed N]')
const problems = await soak({ minutes, speed, tell: console.log })
console.log(problems.length === 0 ? 'nothing was lost, grew or failed' : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
