/** How long the journal knows what was deleted (contract: changes.kept). */
export const DELETIONS_KEPT_DAYS = 400
