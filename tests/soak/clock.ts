import type { Clock } from '../../src/lib/ports/clock'
import { systemClock } from '../../src/adapters/clock'

/** Time that passes faster, and that jumps: its beginning and speed are settings, its jumps stand in a file that processes share. */
export interface SoakTime {
  readonly file: string
  /** What it is when the machine's clock says `machineMs`. */
  readonly epochMs: number
  readonly machineMs: number
  readonly speed: number
}

const viewOf = (file: string) => new Float64Array(Bun.mmap(file).buffer)

const nowOf = ({ epochMs, machineMs, speed }: SoakTime, jumpsMs: number) =>
  epochMs + (Date.now() - machineMs) * speed + jumpsMs

/** The clock of a process that shares the time; durations are the machine's. */
export function soakClock(time: SoakTime): Clock {
  const jumps = viewOf(time.file)
  return { ...systemClock, now: () => new Date(nowOf(time, jumps[0] ?? 0)) }
}

/** The time, for the one who moves it. */
export async function startTime(time: SoakTime) {
  await Bun.write(time.file, new Uint8Array(8))
  const jumps = viewOf(time.file)
  return {
    /** As the environment of a process has it. */
    text: JSON.stringify(time),
    now: () => new Date(nowOf(time, jumps[0] ?? 0)),
    /** For all processes at once. */
    jump: (ms: number) => void (jumps[0] = (jumps[0] ?? 0) + ms),
  }
}

export type RunningTime = Awaited<ReturnType<typeof startTime>>
