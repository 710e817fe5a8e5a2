import { describe, expect, test } from 'bun:test'
import { etagOf, placeOf } from '../../../src/dav/resources'
import type { Collection } from '../../../src/features/objects/collections/rules'
import type { ObjectEntry, ObjectKind } from '../../../src/features/objects/sources/rules'

const entry = (kind: ObjectKind, id: number, version: number) => ({ kind, id, version }) as ObjectEntry

describe('the tag of an object', () => {
  test.each<[kind: ObjectKind, tag: string]>([
    ['event', '"7-3"'],
    ['todo', '"7-3"'],
    ['person', '"7-3"'],
    ['invitation', '"inv-7-3"'],
    ['group', '"g7-3"'],
  ])('of the kind %s is %s, unlike that of another kind in its collection', (kind, tag) => {
    expect(etagOf(entry(kind, 7, 3))).toBe(tag)
  })

  test('that says something of its own for its reader is another one with each version of that', () => {
    expect(etagOf({ ...entry('invitation', 7, 3), own: 4 })).toBe('"inv-7-3-4"')
    expect(etagOf({ ...entry('event', 7, 3), own: 0 })).toBe('"7-3-0"')
  })
})

test('properties are kept with principals, homes and collections, and with nothing else', () => {
  const collection = { kind: 'book', id: 9 } as Collection
  const href = '/dav/'
  expect(placeOf({ kind: 'principal', href, userId: 7, name: 'Ada', email: null })).toBe('principal-7')
  expect(placeOf({ kind: 'home', href, home: 'addressbooks', collections: [] })).toBe('addressbooks')
  expect(placeOf({ kind: 'collection', href, collection })).toBe('book-9')
  expect(placeOf({ kind: 'root', href })).toBeUndefined()
  expect(placeOf({ kind: 'object', href, collection, entry: entry('person', 1, 1) })).toBeUndefined()
})
