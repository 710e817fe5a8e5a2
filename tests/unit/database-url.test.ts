import { expect, test } from 'bun:test'
import { serversOf, wantsPrimary } from '../../src/lib/database-url'

test('a database URL of several hosts names each of them, with everything else', () => {
  expect(serversOf('postgres://a:b%40c@h1:5433,h2,[::1]:5434/db?sslmode=require')).toEqual([
    'postgres://a:b%40c@h1:5433/db?sslmode=require',
    'postgres://a:b%40c@h2/db?sslmode=require',
    'postgres://a:b%40c@[::1]:5434/db?sslmode=require',
  ])
})

test('a database URL of one host stays as it is, but for which server it wants', () => {
  for (const url of ['postgres://h/db', 'postgresql://a@h:1/db?sslmode=require', 'mysql://h,i/db', ''])
    expect(serversOf(url)).toEqual([url])
  expect(serversOf('postgres://h/db?target_session_attrs=read-write')).toEqual(['postgres://h/db'])
})

test('the primary is wanted of several hosts, and where the URL says so', () => {
  expect(wantsPrimary('postgres://h,i/db')).toBe(true)
  expect(wantsPrimary('postgres://h/db?a=b&target_session_attrs=read-write')).toBe(true)
  expect(wantsPrimary('postgres://h/db?target_session_attrs=any')).toBe(false)
  expect(wantsPrimary('postgres://h/db')).toBe(false)
})
