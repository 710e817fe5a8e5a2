import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'

interface UserLinkProps {
  readonly id: number
  readonly children: string
}

/** A user's name, which leads to the account. */
export function UserLink({ id, children }: UserLinkProps) {
  return <Link href={PATTERNS.adminUser.replace(':id', String(id))}>{children}</Link>
}
