import { readdirSync, readFileSync } from 'node:fs'

/** State and parent of a process; undefined once it has ended. */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' || state === 'X' ? undefined : { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

export const isAlive = (pid: number): boolean => statusOf(pid) !== undefined

export const isStopped = (pid: number): boolean => statusOf(pid)?.state === 'T'

/** The living child processes of `parent`. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statusOf(pid)?.parent === parent)
