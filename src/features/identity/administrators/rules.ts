/** Whether the user is the only one of `administrators`. */
export const isLastOf = (administrators: readonly number[], userId: number): boolean =>
  administrators.length === 1 && administrators.includes(userId)
