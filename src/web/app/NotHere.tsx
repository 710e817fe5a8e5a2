import { type SyntheticEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { PageHeading } from '../parts/PageHeading'
import { PATTERNS } from './addresses'
import type { FrameContents } from './contents'
import { placeNames } from './place-names'
import type { MainPlace } from './places'

const messages = defineMessages({
  en: {
    unknown: 'This page does not exist',
    unknownHint: 'The address may be mistyped, or the page may have moved.',
    search: 'Search',
    goTo: (place: string) => `Go to ${place}`,
  },
  de: {
    unknown: 'Diese Seite gibt es nicht',
    unknownHint: 'Vielleicht ist die Adresse vertippt, oder die Seite ist umgezogen.',
    search: 'Suchen',
    goTo: (place: string) => `Zu „${place}“`,
  },
})

interface UnknownAddressProps {
  readonly contents: FrameContents
  /** Where to go instead. */
  readonly home: MainPlace | undefined
}

/** The page of every address that the client does not have. */
export function UnknownAddress({ contents, home }: UnknownAddressProps) {
  const m = useMessages(messages)
  const names = useMessages(placeNames)
  const hasSearch = contents.pages.some(({ pattern }) => pattern === PATTERNS.search)
  return (
    <div className="not-here">
      <PageHeading>{m.unknown}</PageHeading>
      <p>{m.unknownHint}</p>
      {hasSearch && <SearchField />}
      {home && (
        <Link href={home.path} className="button button-secondary">
          {m.goTo(names[home.name])}
        </Link>
      )}
    </div>
  )
}

function SearchField() {
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const search = (event: SyntheticEvent) => {
    event.preventDefault()
    navigate(`${PATTERNS.search}?${new URLSearchParams({ q: text })}`)
  }
  return (
    <form role="search" className="not-here-search" onSubmit={search}>
      <Field type="search" label={m.search} value={text} onChange={(event) => setText(event.target.value)} />
      <Button type="submit">{m.search}</Button>
    </form>
  )
}
