import { tidyLine } from '../../../lib/wire/tidy'
import { cut } from '../../../lib/text'
import type { Toggles } from '../sharing/rules'

const MAX_NAME_LENGTH = 100

/** Settings allow longer names than people do. */
const toName = (name: string | null | undefined): string | null =>
  name == null ? null : tidyLine(cut(name, MAX_NAME_LENGTH))

/**
 * Builds the fields of a new person from the shared profile. A person needs a name, so the network name is used when no other is
 * shared.
 */
export function prefilled(shared: Partial<Toggles<string | null>>, networkName: string) {
  const [firstName, lastName] = [toName(shared.first_name), toName(shared.last_name)]
  return {
    firstName,
    lastName,
    nickname: toName(shared.preferred_name) ?? (firstName === null && lastName === null ? networkName : null),
    email: shared.email,
    phone: shared.phone,
    mobile: shared.mobile,
    birthday: shared.birthday,
    address: shared.address,
    company: shared.company,
    jobTitle: shared.job_title,
  }
}
