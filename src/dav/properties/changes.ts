import type { CollectionChanges } from '../../features/objects/collections/service.changes'
import type { XmlElement } from '../../lib/xml/element'
import { caldav, cs, dav, ical } from '../../lib/xml/names'
import { rewrite } from '../../lib/xml/write'
import { zoneNamed } from '../../lib/time/zone-names'
import { DavError } from '../errors'
import { COLLECTION_NAMES, HOME_PROPERTIES } from './collection'
import { OBJECT_PROPERTIES } from './object'
import { PRINCIPAL_PROPERTIES } from './principal'

/** A property that a client sets, or removes where there is no value. */
interface PropertyChange {
  readonly name: string
  readonly value: XmlElement | undefined
}

/** Why a property cannot be changed so. */
export interface PropertyProblem {
  readonly status: string
  readonly precondition?: string
}

export interface JudgedChanges {
  readonly changes: CollectionChanges
  readonly names: readonly string[]
  readonly problems: ReadonlyMap<string, PropertyProblem>
}

const MAX_BYTES = 65_536
const MAX_NAME_BYTES = 1000
/** As many as may be kept with one place. */
const MAX_CHANGES = 100

/** What the service says as long as no client has said otherwise. */
const CHANGEABLE: ReadonlySet<string> = new Set([
  dav('displayname'),
  ical('calendar-color'),
  caldav('schedule-calendar-transp'),
])

/** What the service says itself, and no client. */
const PROTECTED: ReadonlySet<string> = new Set(
  [HOME_PROPERTIES, PRINCIPAL_PROPERTIES, OBJECT_PROPERTIES]
    .flatMap((all) => [...all.keys()])
    .concat(COLLECTION_NAMES)
    .filter((name) => !CHANGEABLE.has(name)),
)
/** Fixed when a collection is made. */
export const COMPONENT_SET = caldav('supported-calendar-component-set')

/** The changes in a body, in its order (RFC 4918, section 14.19). */
export const changesIn = (body: XmlElement): PropertyChange[] =>
  body.children.flatMap(({ name, children }) => {
    if (name !== dav('set') && name !== dav('remove')) return []
    const properties = children.filter((child) => child.name === dav('prop')).flatMap((prop) => prop.children)
    return properties.map((value) => ({ name: value.name, value: name === dav('set') ? value : undefined }))
  })

/** Decides what becomes of each change; `isNew` allows what is fixed later. @throws {DavError} 507 for too many. */
export function judge(given: readonly PropertyChange[], isNew = false): JudgedChanges {
  // The last change of a property counts.
  const values = new Map(given.map(({ name, value }) => [name, value]))
  if (values.size > MAX_CHANGES) throw new DavError(507)
  if (isNew) for (const name of FIXED) values.delete(name)
  const changes = [...values]
  return {
    changes: {
      ...named(values),
      kept: new Map(changes.flatMap(([name, value]) => (value ? [[name, rewrite(value)] as const] : []))),
      forgotten: changes.flatMap(([name, value]) => (value ? [] : [name])),
    },
    names: [...new Set(given.map(({ name }) => name))],
    problems: new Map(
      changes.flatMap(([name, value]) => {
        const problem = problemOf(name, value)
        return problem ? [[name, problem] as const] : []
      }),
    ),
  }
}

/** What JSON shows of the changes, too. */
function named(
  values: ReadonlyMap<string, XmlElement | undefined>,
): Pick<CollectionChanges, 'name' | 'color'> {
  const name = values.get(dav('displayname'))?.text.trim() ?? ''
  const color = values.get(ical('calendar-color'))?.text.trim().slice(0, 7).toLowerCase()
  return { ...(name !== '' && { name }), ...(color !== undefined && { color }) }
}

const FIXED: ReadonlySet<string> = new Set([dav('resourcetype'), COMPONENT_SET])

const COLOR = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/i

function problemOf(name: string, value: XmlElement | undefined): PropertyProblem | undefined {
  if (PROTECTED.has(name))
    return { status: '403 Forbidden', precondition: dav('cannot-modify-protected-property') }
  if (!value) return undefined
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) return { status: '507 Insufficient Storage' }
  if (new TextEncoder().encode(rewrite(value)).length > MAX_BYTES)
    return { status: '507 Insufficient Storage' }
  const text = value.text.trim()
  const check = CHECKS.get(name)
  return check && !check.holds(text)
    ? { status: '403 Forbidden', precondition: check.precondition }
    : undefined
}

interface Check {
  readonly precondition: string
  readonly holds: (text: string) => boolean
}

const CHECKS = new Map<string, Check>([
  [
    caldav('calendar-timezone'),
    {
      precondition: caldav('valid-calendar-data'),
      holds: (text) => /BEGIN:VTIMEZONE[^]*END:VTIMEZONE/.test(text),
    },
  ],
  [
    caldav('calendar-timezone-id'),
    { precondition: caldav('valid-timezone'), holds: (text) => zoneNamed(text) !== undefined },
  ],
  [ical('calendar-color'), { precondition: cs('valid-color'), holds: (text) => COLOR.test(text) }],
])
