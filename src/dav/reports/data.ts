import { homeOf } from '../../features/objects/collections/rules'
import type { XmlElement } from '../../lib/xml/element'
import type { Telling } from '../objects'
import type { CollectionResource, Viewer } from '../resources'
import type { Visit } from '../visit'
import { readCardTelling } from './address-data'
import { clocksOf, readShaping } from './calendar-data'

interface ToldTexts {
  readonly resource: CollectionResource
  readonly viewer: Viewer
  /** How many objects are told at most. */
  readonly count: number
}

/** How a report tells the texts of a collection. @throws {DavError} 400, 403 for another kind of data. */
export const tellingOf = (visit: Visit, body: XmlElement, { resource, viewer, count }: ToldTexts): Telling =>
  homeOf(resource.collection) === 'addressbooks'
    ? readCardTelling(body)
    : { shape: readShaping(body, clocksOf(visit, body, resource, viewer), count) }
