import { AppError } from '../../lib/errors'

/** The 500 for a user without settings: every user has them from the start (contract: sessions.checks). */
export const settingsMissing = () => new AppError('internal', 'Settings not found for user')
