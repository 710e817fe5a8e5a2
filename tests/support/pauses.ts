import type { Harness } from './harness'

/** How often `work` lets others in where all that it does takes longer than it may. */
export async function pausesOf({ clock }: Harness, work: () => Promise<unknown>) {
  let [asked, paused] = [0, 0]
  Object.assign(clock, { monotonic: () => (asked += 11), sleep: async () => void paused++ })
  try {
    await work()
  } finally {
    for (const own of ['monotonic', 'sleep']) Reflect.deleteProperty(clock, own)
  }
  return paused
}
