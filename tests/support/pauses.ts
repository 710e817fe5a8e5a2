import type { Harness } from './harness'

/** Returns how often `work` lets others in when every step of it takes longer than a slice. */
export async function pausesOf({ clock }: Harness, work: () => Promise<unknown>) {
  let [asked, paused] = [0, 0]
  Object.assign(clock, {
    monotonic: () => (asked += 11),
    // Starts anew, so that no work takes longer than a request may.
    sleep: async () => {
      paused++
      asked = 0
    },
  })
  try {
    await work()
  } finally {
    for (const own of ['monotonic', 'sleep']) Reflect.deleteProperty(clock, own)
  }
  return paused
}
