import { Icon } from './Icon'

/** The letters of a name in a circle, an ornament beside the name. */
export function Avatar({ name, isLarge = false }: { readonly name: string; readonly isLarge?: boolean }) {
  const letters = lettersOf(name)
  return (
    <span className={isLarge ? 'avatar avatar-large' : 'avatar'} aria-hidden="true">
      {letters === '' ? <Icon name="account" /> : <span data-letters={letters} />}
    </span>
  )
}

/** The first letters of the first and the last word of a name. */
function lettersOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => firstOf(word ?? ''))
  return letters.join('').toUpperCase()
}

const firstOf = (text: string): string => text[Symbol.iterator]().next().value ?? ''
