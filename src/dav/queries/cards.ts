/** Queries of address books (RFC 6352, sections 8.6 and 10.5). */

import type { XmlElement } from '../../lib/xml/element'
import { readOutline, type Outline, type OutlineLine } from '../../lib/icalendar/outline'
import {
  nameOf,
  type ParamFilter,
  readable,
  readParamFilter,
  refuseOthers,
  refuseTooMany,
  textOf,
} from './calendar-filter'
import { matchesParam, textsOf } from './calendar-match'
import { type Effort, ObjectTooCostly, objectEffort, type QueryProblem } from './effort'
import { matchesText, type TextMatch } from './text-match'

type Combination = 'anyof' | 'allof'

interface CardPropertyFilter {
  /** In upper case. */
  readonly name: string
  readonly isNotDefined: boolean
  readonly test: Combination
  readonly texts: readonly TextMatch[]
  readonly params: readonly ParamFilter[]
}

/** A CARDDAV:filter. */
export interface CardFilter {
  readonly test: Combination
  readonly properties: readonly CardPropertyFilter[]
}

const carddav = (local: string): string => `{urn:ietf:params:xml:ns:carddav}${local}`

const testOf = ({ attributes }: XmlElement): Combination =>
  attributes.get('test')?.trim() === 'allof' ? 'allof' : 'anyof'

const USUAL = 'i;unicode-casemap'

function readProperty(element: XmlElement): CardPropertyFilter {
  const [text, param, none] = [carddav('text-match'), carddav('param-filter'), carddav('is-not-defined')]
  refuseOthers(element, [text, param], none)
  const all = (wanted: string) => element.children.filter(({ name }) => name === wanted)
  return {
    name: nameOf(element),
    isNotDefined: all(none).length > 0,
    test: testOf(element),
    texts: all(text).map((child) => textOf(child, USUAL)),
    params: all(param).map((child) => readParamFilter(child, carddav, USUAL)),
  }
}

/** Reads a CARDDAV:filter; one without conditions lets every card through. */
export const readCardFilter = (filter: XmlElement): CardFilter | QueryProblem =>
  readable(() => {
    refuseTooMany(filter)
    refuseOthers(filter, [carddav('prop-filter')], '')
    return { test: testOf(filter), properties: filter.children.map(readProperty) }
  })

/** The most cards that a CARDDAV:addressbook-query asks for, by its limit; undefined without one. */
export function readCardLimit(query: XmlElement): number | undefined | QueryProblem {
  const limit = query.children.find(({ name }) => name === carddav('limit'))
  const results = limit?.children.find(({ name }) => name === carddav('nresults'))
  if (!limit) return undefined
  const text = results?.text.trim() ?? ''
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  return { precondition: 'valid-filter', problem: 'A limit has a number of results.' }
}

/** A card as text. */
export interface CardObject {
  readonly root: Outline
  readonly spend: Effort['spend']
}

export function readCardObject(text: string, report: Effort): CardObject {
  const { spend } = objectEffort(report)
  spend(20 + text.length / 100)
  return { root: readOutline(text), spend }
}

const combined = (test: Combination, conditions: ReadonlyArray<() => boolean>): boolean =>
  conditions.length === 0 ||
  (test === 'allof' ? conditions.every((holds) => holds()) : conditions.some((holds) => holds()))

/** Conditions hold together for one line: the work address is at this company. */
function matchesLine({ test, texts, params }: CardPropertyFilter, line: OutlineLine, { spend }: CardObject) {
  spend(1)
  return combined(test, [
    ...texts.map((text) => () => matchesText(text, textsOf(line), spend)),
    ...params.map((param) => () => matchesParam(param, line, spend)),
  ])
}

function matchesProperty(filter: CardPropertyFilter, card: Outline, object: CardObject): boolean {
  object.spend(1 + card.lines.length / 20)
  const lines = card.lines.filter(({ name }) => name === filter.name)
  if (filter.isNotDefined) return lines.length === 0
  return lines.some((line) => matchesLine(filter, line, object))
}

/**
 * Whether a card matches. One that costs too much to say matches: a program that gets it once too often loses nothing.
 * @throws {QueryRefusal} when the report has cost too much.
 */
export function matchesCard({ test, properties }: CardFilter, object: CardObject): boolean {
  const card = object.root.parts.find(({ name }) => name === 'VCARD')
  if (!card) return false
  try {
    return combined(
      test,
      properties.map((property) => () => matchesProperty(property, card, object)),
    )
  } catch (error) {
    if (error instanceof ObjectTooCostly) return true
    throw error
  }
}
