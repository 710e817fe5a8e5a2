import { t } from 'elysia'

/** The answer of an action that has nothing else to say. */
export const MessageView = t.Object({ message: t.String() })
