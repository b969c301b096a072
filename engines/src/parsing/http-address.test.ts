import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostOf, httpAddress, pictureAddress } from './http-address.ts'

describe('httpAddress', () => {
  it.each([
    'https://example.org',
    'http://example.org/',
    'HTTPS://Example.ORG/Path?q=a%20b#part',
    'https://www.example.org:8443/a',
    'https://example.org/user@home/a\\b',
    'https://192.0.2.7/',
    'https://[2001:db8::1]:8080/',
    'https://bücher.example/straße',
    'https://xn--bcher-kva.example/',
    'https://a_b.example/?q=https://other.example/@x',
  ])('passes %s on unchanged', (address) => {
    expect(httpAddress(address)).toBe(address)
  })

  it.each([
    '',
    'example.org',
    '//example.org/',
    '/path',
    'ftp://example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:example.org',
    'https://',
    'https:///path',
    'https://?q=x',
    'https://user:secret@example.org/',
    'https://user@example.org/',
    'https://example.org\\@other.example/',
    'https://exa mple.org/',
    'https://example.org/a b',
    'https://example.org/a\nb',
    'https://exa\u200bmple.org/',
    'https://\u202eexample.org/',
    'https://example.org/\u00a0',
    'https://example.org/\ud83d',
    'https://256.256.256.256/',
    'https://example.org:99999/',
    'https://[::1/',
    'https://xn--\u0000/',
    `https://example.org/${'a'.repeat(2048)}`,
  ])('refuses %j', (address) => {
    expect(httpAddress(address)).toBe('')
  })

  it('escapes what is invisible after the host', () => {
    expect(httpAddress('https://example.org/\u202egro.live?q=\u{e0065}')).toBe(
      'https://example.org/%E2%80%AEgro.live?q=%F3%A0%81%A5',
    )
  })

  it.each([undefined, null, 7, true, {}, ['https://example.org/']])('refuses %j, which is no text', (value) => {
    expect(httpAddress(value)).toBe('')
  })

  it('passes nothing on that the URL parser would not take, or would take for another kind of address', () => {
    const odd = fc
      .array(
        fc.oneof(
          fc.constantFrom('.', '-', '--', '/', '@', ':', '%', '[', '1', '0x', 'a', 'xn--', '\\', '?'),
          fc.string({ maxLength: 3 }),
        ),
      )
      .map((parts) => `https://${parts.join('')}`)
    fc.assert(
      fc.property(fc.oneof(odd, fc.webUrl(), fc.string()), (given) => {
        const address = httpAddress(given)
        if (address === '') return
        const url = new URL(address)
        expect(address).toBe(given)
        expect(url.protocol).toMatch(/^https?:$/)
        expect(url.username + url.password).toBe('')
        expect(url.hostname).not.toBe('')
      }),
      { numRuns: 2000 },
    )
  })

  it('passes every ordinary web address on', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        expect(httpAddress(address)).toBe(address)
      }),
    )
  })
})

describe('hostOf', () => {
  it.each([
    ['https://example.org', 'example.org'],
    ['https://WWW.Example.org:8443/a:b', 'example.org'],
    ['http://example.org?x=1:2', 'example.org'],
    ['https://example.org#a', 'example.org'],
    ['https://www.com/', 'www.com'],
    ['https://wwwx.example.org/', 'wwwx.example.org'],
    ['https://[2001:db8::1]:8080/', '[2001:db8::1]'],
    ['https://[2001:db8::1]/', '[2001:db8::1]'],
    ['mailto:a@example.org', ''],
    ['', ''],
  ])('of %s is %s', (address, host) => {
    expect(hostOf(address)).toBe(host)
  })

  it('agrees with the URL parser on every ordinary web address', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['http', 'https'] }), (address) => {
        const { hostname } = new URL(address)
        expect(hostOf(address)).toBe(hostname.replace(/^www\.(?=.*\.)/, ''))
      }),
    )
  })
})

describe('pictureAddress', () => {
  it.each([
    ['https://cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
    ['http://cdn.example/a.jpg', 'http://cdn.example/a.jpg'],
    ['//cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
  ])('takes %j for %j', (value, address) => {
    expect(pictureAddress(value)).toBe(address)
  })

  it.each([
    '',
    '//',
    '///a.jpg',
    '/a.jpg',
    'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    '//user@cdn.example/',
    null,
    7,
  ])('has no picture for %j', (value) => {
    expect(pictureAddress(value)).toBe('')
  })
})
