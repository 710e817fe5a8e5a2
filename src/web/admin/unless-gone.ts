import { refusalOf } from '../api/refusal'

/** What the service answers; undefined where the user was deleted meanwhile. Every other refusal is thrown. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (refusalOf(error)?.status !== 404) throw error
    return undefined
  }
}
