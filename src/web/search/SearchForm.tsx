import { type SubmitEvent, useEffect, useState } from 'react'
import { useMessages } from '../messages/language'
import { KINDS, kindNames, type KindName } from './kinds'
import { searchMessages } from './search.messages'
import { MAX_LENGTH } from './use-found'

interface SearchFormProps {
  /** The search of the address. */
  readonly text: string
  readonly types: readonly KindName[]
  /** Called once nobody has typed for a moment. */
  readonly onSearch: (text: string) => void
  readonly onSubmit: (text: string) => void
  /** Down from the field. */
  readonly onDown: () => void
  readonly onChoose: (types: readonly KindName[]) => void
}

const SETTLES_AFTER_MS = 200

/** The field of the search, and the types to which it keeps. */
export function SearchForm({ text, types, onSearch, onSubmit, onDown, onChoose }: SearchFormProps) {
  const m = useMessages(searchMessages)
  const [typed, setTyped] = useTyped(text, onSearch)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit(typed.trim())
  }
  return (
    <form role="search" className="search-form" onSubmit={submit}>
      <input
        type="search"
        className="input"
        aria-label={m.title}
        placeholder={m.placeholder}
        maxLength={MAX_LENGTH}
        enterKeyHint="search"
        autoComplete="off"
        // Who comes to search types next; who comes back to results reads them.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={text === ''}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          onDown()
        }}
      />
      <TypeButtons types={types} onChoose={onChoose} />
    </form>
  )
}

/** What is typed, which the address follows; another address, as after Back, is typed instead. */
function useTyped(text: string, onSearch: (text: string) => void) {
  const [typed, setTyped] = useState(text)
  const [before, setBefore] = useState(text)
  if (text !== before) {
    setBefore(text)
    if (typed.trim() !== text) setTyped(text)
  }
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => onSearch(typed.trim()), SETTLES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed, text, onSearch])
  return [typed, setTyped] as const
}

function TypeButtons({ types, onChoose }: Pick<SearchFormProps, 'types' | 'onChoose'>) {
  const m = useMessages(searchMessages)
  const names = useMessages(kindNames)
  const toggle = (name: KindName) =>
    onChoose(types.includes(name) ? types.filter((each) => each !== name) : [...types, name])
  return (
    <div role="group" aria-label={m.types} className="search-types">
      {KINDS.map(({ name }) => (
        <button
          key={name}
          type="button"
          className="chip"
          data-type={name}
          aria-pressed={types.includes(name)}
          onClick={() => toggle(name)}
        >
          {names[name]}
        </button>
      ))}
    </div>
  )
}
