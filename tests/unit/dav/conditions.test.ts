import { describe, expect, test } from 'bun:test'
import { checkConditions } from '../../../src/dav/conditions'
import { DavError } from '../../../src/dav/errors'

/** What becomes of a request with these headers where the tag is `etag`: the status of its refusal, or whether it holds for this tag alone. */
function outcome(headers: Record<string, string>, etag: string | undefined): number | boolean {
  try {
    return checkConditions(new Request('http://localhost/', { headers }), etag)
  } catch (error) {
    return error instanceof DavError ? error.status : Number.NaN
  }
}

describe('a request without conditions', () => {
  test('holds for whatever is there, and for nothing', () => {
    expect(outcome({}, '"a"')).toBe(false)
    expect(outcome({}, undefined)).toBe(false)
  })
})

describe('If-Match', () => {
  test.each<[header: string, etag: string | undefined, outcome: number | boolean]>([
    ['"a"', '"a"', true],
    ['"a"', '"b"', 412],
    ['"a"', undefined, 412],
    ['"b", "a"', '"a"', true],
    ['"b","a"', '"b"', true],
    ['W/"a"', '"a"', true],
    ['"ab"', '"a"', 412],
    ['"12-34"', '"12-34"', true],
    ['""', '"a"', 412],
    ['*', '"a"', false],
    [' * ', '"a"', false],
    ['*', undefined, 412],
    ['a', '"a"', 412],
    ['', '"a"', 412],
  ])('%s, where %p is, comes to %p', (header, etag, expected) => {
    expect(outcome({ 'if-match': header }, etag)).toBe(expected)
  })
})

describe('If-None-Match', () => {
  test.each<[header: string, etag: string | undefined, outcome: number | boolean]>([
    ['*', undefined, false],
    ['*', '"a"', 412],
    ['"a"', '"a"', 412],
    ['"a"', '"b"', false],
    ['"a"', undefined, false],
    ['"b", "a"', '"a"', 412],
  ])('%s, where %p is, comes to %p', (header, etag, expected) => {
    expect(outcome({ 'if-none-match': header }, etag)).toBe(expected)
  })

  test('must hold beside If-Match', () => {
    expect(outcome({ 'if-match': '"a"', 'if-none-match': '"a"' }, '"a"')).toBe(412)
    expect(outcome({ 'if-match': '"a"', 'if-none-match': '"b"' }, '"a"')).toBe(true)
    expect(outcome({ 'if-match': '"b"', 'if-none-match': '"b"' }, '"a"')).toBe(412)
  })
})

describe('If', () => {
  test.each<[header: string, etag: string | undefined, outcome: number | boolean]>([
    ['(["a"])', '"a"', true],
    ['(["a"])', '"b"', 412],
    ['(["a"])', undefined, 412],
    ['([W/"a"])', '"a"', true],
    ['( ["a"] )', '"a"', true],
    [' (["a"]) ', '"a"', true],
    ['(Not ["a"])', '"a"', 412],
    ['(Not ["a"])', '"b"', true],
    ['(not   ["a"])', '"b"', true],
    ['(Not ["a"])', undefined, true],
    // One of the lists has to hold, and all of it.
    ['(["b"]) (["a"])', '"a"', true],
    ['(["b"])(["a"])', '"a"', true],
    ['(["b"])  (["c"])', '"a"', 412],
    ['(["a"] ["b"])', '"a"', 412],
    ['(["a"] Not ["b"])', '"a"', true],
    // Lock tokens count for nothing.
    ['(<urn:uuid:1> ["a"])', '"a"', true],
    ['(<urn:uuid:1>["a"])', '"b"', 412],
    ['(<urn:uuid:1>)', '"a"', true],
    ['(Not <DAV:no-lock> ["a"])', '"a"', true],
    ['<http://localhost/dav/x> (["a"])', '"a"', true],
    ['<http://localhost/dav/x>(["a"])', '"b"', 412],
    ['<http://localhost/dav/x>  (["b"])  <http://localhost/dav/y>  (["a"])  ', '"a"', true],
    ['(["12-34"])', '"12-34"', true],
    // Parentheses in a tag, a token or an address are no lists.
    ['(["(a]"])', '"(a]"', true],
    ['(["a)b"])', '"a)b"', true],
    ['(["a)b"])', '"a"', 412],
    ['(Not ["a)b"])', '"a)b"', 412],
    ['(<urn:x:(1)> ["a"])', '"b"', 412],
    ['(<urn:x:1)> ["a"])', '"b"', 412],
    ['(<urn:x["b"]> ["a"])', '"a"', true],
    ['<http://localhost/dav/(x)> (["a"])', '"b"', 412],
    ['<http://localhost/dav/(x)> (["a"])', '"a"', true],
  ])('%s, where %p is, comes to %p', (header, etag, expected) => {
    expect(outcome({ if: header }, etag)).toBe(expected)
  })

  test.each([
    '()',
    'nonsense',
    '["a"]',
    '(["a"]',
    '["a"])',
    '(a)',
    '(["a)',
    '(["a"]) nonsense',
    'nonsense (["a"])',
    '(["a"] nonsense)',
    '(Not)',
    '(Never ["a"])',
    '(Not["a"])',
    '<http://localhost/dav/x',
    '<http://localhost/dav/x>',
    '<a<b> (["a"])',
    'x<a> (["a"])',
    '(<a<b>)',
    '([V/"a"])',
    '(["a"]) <http://localhost/dav/x>',
  ])('%s cannot be read, and so refuses rather than holds', (header) => {
    expect(outcome({ if: header }, '"a"')).toBe(400)
  })

  test('holds in either case of its words', () => {
    expect(outcome({ if: '(NOT [w/"a"])' }, '"b"')).toBe(true)
    expect(outcome({ if: '(NOT [w/"a"])' }, '"a"')).toBe(412)
  })

  test('is for the tag alone also beside a star', () => {
    expect(outcome({ 'if-match': '*', if: '(["a"])' }, '"a"')).toBe(true)
  })
})
