import { expect, test } from 'bun:test'
import { refuseCrossOrigin } from '../../src/http/cross-origin'

const OWN = { publicUrl: 'https://organiser.example', corsOrigins: ['https://app.example:8443'] }

const passes = (headers: Record<string, string>, { method = 'POST', publicUrl = OWN.publicUrl } = {}) => {
  try {
    const request = new Request('http://localhost/api/x', { method, headers })
    refuseCrossOrigin(request, { ...OWN, publicUrl })
    return true
  } catch {
    return false
  }
}

test.each([
  { headers: {}, passes: true, why: 'curl sends neither header' },
  { headers: { 'sec-fetch-site': 'same-origin' }, passes: true, why: 'the own page' },
  { headers: { 'sec-fetch-site': 'none' }, passes: true, why: 'typed by the user' },
  { headers: { 'sec-fetch-site': 'same-site' }, passes: false, why: 'a neighbour on the same domain' },
  { headers: { 'sec-fetch-site': 'cross-site' }, passes: false, why: 'another site' },
  { headers: { 'sec-fetch-site': 'nonsense' }, passes: false, why: 'no known value' },
  { headers: { origin: 'https://organiser.example' }, passes: true, why: 'the public URL' },
  { headers: { origin: 'https://app.example:8443' }, passes: true, why: 'a listed origin' },
  {
    headers: { origin: 'https://app.example:8443', 'sec-fetch-site': 'cross-site' },
    passes: true,
    why: 'listed',
  },
  { headers: { origin: 'https://app.example' }, passes: false, why: 'the listed host on another port' },
  {
    headers: { origin: 'https://10.0.0.5:3000', host: '10.0.0.5:3000' },
    passes: true,
    why: 'the Host it called',
  },
  { headers: { origin: 'https://10.0.0.5:3001', host: '10.0.0.5:3000' }, passes: false, why: 'another port' },
  {
    headers: { origin: 'https://a.example', host: 'a.example:443' },
    passes: true,
    why: 'the default port named',
  },
  { headers: { origin: 'https://evil.example' }, passes: false, why: 'a foreign origin' },
  {
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    passes: false,
    why: 'both differ',
  },
  { headers: { origin: 'null' }, passes: false, why: 'a sandboxed page' },
  { headers: { origin: '' }, passes: false, why: 'an empty origin' },
  { headers: { origin: 'https://organiser.example.evil.example' }, passes: false, why: 'a longer name' },
  {
    headers: { origin: 'http://x@localhost', host: 'localhost' },
    passes: false,
    why: 'no origin, but a URL',
  },
  { headers: { origin: 'constructor' }, passes: false, why: 'no origin at all' },
])('an unsafe request passes: $passes ($why)', ({ headers, passes: expected }) => {
  expect(passes(Object.fromEntries(Object.entries(headers)))).toBe(expected)
})

test('a safe request always passes', () => {
  expect(passes({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, { method: 'GET' })).toBe(
    true,
  )
})

test('with an https PUBLIC_URL a page that came by plain http is foreign, also from the same host', () => {
  const page = { origin: 'http://organiser.example', host: 'organiser.example' }
  expect(passes(page)).toBe(false)
  expect(passes(page, { publicUrl: 'http://organiser.example' })).toBe(true)
  expect(passes({ ...page, origin: 'https://organiser.example' })).toBe(true)
})
