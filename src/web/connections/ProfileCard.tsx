import type { SharedProfileView } from '../../features/people/sharing/model'
import { useLocale, useMessages } from '../messages/language'
import { Avatar } from '../parts/Avatar'
import { nameOf } from './names'
import { PROFILE_FIELDS, shownValue } from './profile'
import { fieldTexts } from './profile.messages'

interface ProfileCardProps {
  readonly profile: SharedProfileView
  readonly networkName: string
  /** Says that nothing more is to be seen than the name. */
  readonly nothing: string
}

/** What somebody shows of their profile, as the others see it. */
export function ProfileCard({ profile, networkName, nothing }: ProfileCardProps) {
  const names = useMessages(fieldTexts)
  const locale = useLocale()
  const name = nameOf({ preferred_name: profile.preferred_name ?? null, network_name: networkName })
  const shown = PROFILE_FIELDS.flatMap((field) => {
    const value = profile[field]
    return value == null || field === 'preferred_name' ? [] : [{ field, value }]
  })
  return (
    <div className="profile-card">
      <p className="found-name">
        <Avatar name={name} />
        <span className="share-name">
          <strong>{name}</strong>
          {name !== networkName && <span className="field-hint">{networkName}</span>}
        </span>
      </p>
      {shown.length === 0 && <p className="field-hint">{nothing}</p>}
      {shown.length > 0 && (
        <dl className="profile-facts">
          {shown.map(({ field, value }) => (
            <div key={field}>
              <dt>{names[field]}</dt>
              <dd>{shownValue(field, value, locale)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
