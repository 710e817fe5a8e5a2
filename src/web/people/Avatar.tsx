import { Icon } from '../parts/Icon'
import { lettersOf } from './names'

/** The letters of a name in a circle, an ornament beside the name. */
export function Avatar({ name, isLarge = false }: { readonly name: string; readonly isLarge?: boolean }) {
  const letters = lettersOf(name)
  return (
    <span className={isLarge ? 'avatar avatar-large' : 'avatar'} aria-hidden="true">
      {letters === '' ? <Icon name="account" /> : <span data-letters={letters} />}
    </span>
  )
}
