import type { ComponentType } from 'react'
import { fetched, useFetched } from './fetched'
import { MissingMessage, missingOf } from './Missing'

interface Closing {
  readonly onClose: () => void
}

/** Something that opens over the page and has a file of its own, such as a menu; a message says where it cannot be loaded. */
export function opened<P extends Closing>(load: () => Promise<ComponentType<P>>) {
  const part = fetched(load)
  function Opened(props: P) {
    const found = useFetched(part)
    if (found.is === 'there') return <found.value {...props} />
    if (found.is === 'awaited') return null
    return <MissingMessage {...missingOf(part, found.reason)} onClose={props.onClose} />
  }
  return Object.assign(Opened, { fetch: part.fetch })
}
