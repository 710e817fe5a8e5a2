import { AppError } from '../../lib/errors'

/** 500 for a user without settings, which every user has from the start (contract: sessions.checks). */
export const settingsMissing = () => new AppError('internal', 'Settings not found for user')
