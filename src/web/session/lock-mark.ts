/**
 * Remembers on this device that the screen of a user is locked, so that a reload does not open it when the service could not
 * be told (contract: web.lock).
 */
const KEY = 'locked'

export const markLocked = (userId: number): void => localStorage.setItem(KEY, String(userId))
export const isMarkedLocked = (userId: number): boolean => localStorage.getItem(KEY) === String(userId)
export const clearLockMark = (): void => localStorage.removeItem(KEY)
