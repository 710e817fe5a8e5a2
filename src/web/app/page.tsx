import type { ComponentType } from 'react'
import { fetched, useFetched } from '../parts/fetched'
import { MissingPage, missingOf } from '../parts/Missing'
import { Skeleton } from '../parts/Skeleton'

/** A page with a file of its own, fetched when somebody goes to it. */
export function page<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const part = fetched(load)
  return function LoadedPage(props: P) {
    const found = useFetched(part)
    if (found.is === 'missing') return <MissingPage {...missingOf(part, found.reason)} />
    return found.is === 'there' ? <found.value {...props} /> : <Skeleton lines={6} />
  }
}
