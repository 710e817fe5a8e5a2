import type { TSchema } from '@sinclair/typebox'
import { t } from 'elysia'

const shared = (description?: string) =>
  t.Optional(t.Nullable(t.String(description === undefined ? {} : { description })))

/** What a connected user shows (contract: people.shared-profile). Fields that are not shared are absent. */
export const SharedProfileView = t.Object(
  {
    first_name: shared(),
    last_name: shared(),
    preferred_name: shared(),
    email: shared(),
    phone: shared(),
    mobile: shared(),
    birthday: shared('A day as YYYY-MM-DD.'),
    address: shared(),
    company: shared(),
    job_title: shared(),
  },
  { title: 'SharedProfile', description: 'What the connected user shares; other fields are absent.' },
)
export type SharedProfileView = typeof SharedProfileView.static

/** Toggles for sharing each field of a profile, used by the settings and by connections. */
export const shareFields = <S extends TSchema>(field: () => S) => ({
  share_first_name: field(),
  share_last_name: field(),
  share_preferred_name: field(),
  share_email: field(),
  share_phone: field(),
  share_mobile: field(),
  share_birthday: field(),
  share_address: field(),
  share_company: field(),
  share_job_title: field(),
})
