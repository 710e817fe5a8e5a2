import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  type Address,
  addressOfHref,
  collectionHref,
  homeHref,
  isMisnamed,
  objectHref,
  principalHref,
  readAddress,
} from '../../../src/dav/address'
import { DavError } from '../../../src/dav/errors'

const home = 'calendars' as const

describe('a path', () => {
  test.each<[path: string, address: Address]>([
    ['/', { kind: 'root' }],
    ['/dav', { kind: 'root' }],
    ['/dav/', { kind: 'root' }],
    ['/principals', { kind: 'principals' }],
    ['/principals/', { kind: 'principals' }],
    ['/dav/principals', { kind: 'principals' }],
    ['/dav/principals/', { kind: 'principals' }],
    ['/dav/principals/7', { kind: 'principal', userId: 7 }],
    ['/dav/principals/7/', { kind: 'principal', userId: 7 }],
    ['/dav/calendars/7', { kind: 'home', home, userId: 7 }],
    ['/dav/calendars/7/', { kind: 'home', home, userId: 7 }],
    ['/dav/addressbooks/1234567890/', { kind: 'home', home: 'addressbooks', userId: 1_234_567_890 }],
    ['/dav/calendars/7/work', { kind: 'collection', home, userId: 7, slug: 'work' }],
    ['/dav/calendars/7/work/', { kind: 'collection', home, userId: 7, slug: 'work' }],
    ['/dav/calendars/7/.work./', { kind: 'collection', home, userId: 7, slug: '.work.' }],
    ['/dav/calendars/7/a%20b/c%C3%A9', { kind: 'object', home, userId: 7, slug: 'a b', name: 'cé' }],
    ['/dav/calendars/7/work/x.ics/', { kind: 'object', home, userId: 7, slug: 'work', name: 'x.ics' }],
    [
      '/dav/addressbooks/7/b/x.vcf',
      { kind: 'object', home: 'addressbooks', userId: 7, slug: 'b', name: 'x.vcf' },
    ],
  ])('%s is %j', (path, address) => {
    expect(readAddress(path)).toEqual(address)
  })

  test.each([
    '',
    '/else',
    '/else/principals',
    '/principals/7',
    '/dav/principals/x',
    '/dav/principalss',
    '/xdav/calendars/7/',
    '/davx/calendars/7/',
    '/dav/else/7',
    '/dav/else/7/work',
    '/dav/principals/7/more',
    '/dav/calendars',
    '/dav/calendars/',
    '/dav/calendars/0',
    '/dav/calendars/07',
    '/dav/calendars/7x',
    '/dav/calendars/x7',
    '/dav/calendars/12345678901',
    '/dav/calendars/7//',
    '/dav/calendars/7//x.ics',
    '/dav/calendars/7/./x.ics',
    '/dav/calendars/7/../x.ics',
    '/dav/calendars/7/work/..',
    '/dav/calendars/7/work/.',
    '/dav/calendars/7/a%2Fb/',
    '/dav/calendars/7/work/a%2Fb',
    '/dav/calendars/7/a%00b/',
    '/dav/calendars/7/a%1Fb/',
    '/dav/calendars/7/work/a%7Fb',
    '/dav/calendars/7/work/x.ics/more',
    '/dav/calendars/7/work//',
  ])('%p is no place', (path) => {
    expect(readAddress(path)).toBeUndefined()
  })

  test('may name what has up to 255 bytes', () => {
    const named = (name: string) => readAddress(`/dav/calendars/7/work/${encodeURIComponent(name)}`)
    expect(named('x'.repeat(255))).toMatchObject({ kind: 'object', name: 'x'.repeat(255) })
    expect(named('x'.repeat(256))).toBeUndefined()
    expect(named('é'.repeat(127))).toMatchObject({ kind: 'object' })
    expect(named('é'.repeat(128))).toBeUndefined()
  })

  test.each([
    ['/dav/calendars/7/a%2Fb/', true],
    ['/dav/calendars/7/work/a%00b', true],
    ['/dav/addressbooks/7/work/../', true],
    ['/dav/addressbooks/7/work/a%2Fb/', true],
    ['/dav/calendars/7/work/x.ics', false],
    ['/dav/calendars/8/a%2Fb/', false],
    ['/dav/calendars/7/', false],
    ['/dav/calendars/7//', false],
    ['/dav/calendars/7/work/x.ics/more', false],
    ['/else/dav/calendars/7/a%2Fb/', false],
    ['/dav/principals/7/a%2Fb/', false],
    ['/else', false],
  ])('%p would be a place of its user but for its name: %p', (path, isIt) => {
    expect(isMisnamed(path, 7)).toBe(isIt)
  })

  test('that is not UTF-8 is refused as a bad request', () => {
    for (const path of ['/dav/calendars/7/%FF/', '/dav/calendars/7/work/%C3', '/dav/calendars/7/work/%'])
      expect(() => readAddress(path)).toThrow(new DavError(400))
  })
})

describe('an href', () => {
  const work = { kind: 'collection', home, userId: 7, slug: 'work' } as const

  test('has one spelling, which reads as it was written', () => {
    expect(principalHref(7)).toBe('/dav/principals/7/')
    expect(homeHref('addressbooks', 7)).toBe('/dav/addressbooks/7/')
    expect(collectionHref(work)).toBe('/dav/calendars/7/work/')
    expect(objectHref(work, "it's (a) *b*! é/@:.ics")).toBe(
      '/dav/calendars/7/work/it%27s%20%28a%29%20%2Ab%2A%21%20%C3%A9%2F@:.ics',
    )
    expect(objectHref(work, '@@::')).toBe('/dav/calendars/7/work/@@::')
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !text.includes('/'))
    fc.assert(
      fc.property(name, name, (slug, object) => {
        fc.pre(![slug, object].some((text) => text === '.' || text === '..'))
        const of = { home, userId: 7, slug }
        expect(readAddress(objectHref(of, object))).toEqual({ kind: 'object', ...of, name: object })
      }),
    )
  })

  test('of a client may be absolute, with space around it and a query after it', () => {
    expect(addressOfHref('/dav/calendars/7/work/')).toEqual(work)
    expect(addressOfHref('  https://else.example:8443/dav/calendars/7/work/?a=b#c\n')).toEqual(work)
    expect(addressOfHref('http://[')).toBeUndefined()
    expect(addressOfHref('/else')).toBeUndefined()
  })
})
