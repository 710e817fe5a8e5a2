import { t } from 'elysia'

/** The response of an action that returns no record. */
export const MessageView = t.Object({ message: t.String() })
