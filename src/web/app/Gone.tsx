import { Link } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { PageHeading } from '../parts/PageHeading'
import { placeNames } from './place-names'
import type { MainPlace } from './places'

const messages = defineMessages({
  en: {
    gone: 'This is gone',
    goneHint: 'It was deleted, or it is no longer shared with you.',
    back: (place: string) => `Back to ${place}`,
  },
  de: {
    gone: 'Das gibt es nicht mehr',
    goneHint: 'Es wurde gelöscht oder wird nicht mehr geteilt.',
    back: (place: string) => `Zurück zu „${place}“`,
  },
})

/** The page of a thing that is not there any more, or never was one's own (contract: web.gone). */
export function Gone({ place }: { readonly place: MainPlace }) {
  const m = useMessages(messages)
  const names = useMessages(placeNames)
  return (
    <div className="not-here">
      <PageHeading>{m.gone}</PageHeading>
      <p>{m.goneHint}</p>
      <Link href={place.path} className="button button-secondary">
        {m.back(names[place.name])}
      </Link>
    </div>
  )
}
