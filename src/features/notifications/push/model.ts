import { t } from 'elysia'

export const TestMessageView = t.Object({ message: t.String() })
