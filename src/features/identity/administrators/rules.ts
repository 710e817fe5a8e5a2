/** Whether nobody of `administrators` would be left without the user. */
export const isLastOf = (administrators: readonly number[], userId: number): boolean =>
  administrators.length === 1 && administrators.includes(userId)
