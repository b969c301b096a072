import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { blemishesOf, canonicalAddress } from './canonical-address.ts'

const LINES = readFileSync(new URL('canonical-address.test-table.txt', import.meta.url), 'utf8').split('\n')
const readPairs = (sign: string) => LINES.map((line) => line.split(` ${sign} `)).filter((pair) => pair.length === 2)

/** The same rules over a parsed address: slow, and written without a look at the scanner. */
function reference(address: string): string {
  const { host, pathname, search, hash } = new URL(address)
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !['utm_source', 'gclid', '_ga', '_gl'].includes(pair.split('=')[0] ?? ''))
  const query = kept.length > 0 ? `?${kept.join('&')}` : ''
  const route = hash.startsWith('#/') || hash.startsWith('#!') ? hash : ''
  const whole = `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${query}${route}`
  return whole.replaceAll(/%[\da-f]{2}/gi, (code) => code.toUpperCase())
}

describe('canonicalAddress', () => {
  it.each(readPairs('='))('%s is the same page as %s', (one = '', other = '') => {
    expect(canonicalAddress(one)).toBe(canonicalAddress(other))
  })

  it.each(readPairs('!'))('%s is not the same page as %s', (one = '', other = '') => {
    expect(canonicalAddress(one)).not.toBe(canonicalAddress(other))
  })

  it.each(readPairs('>'))('%s is better than %s', (one = '', other = '') => {
    expect(blemishesOf(one)).toBeLessThan(blemishesOf(other))
  })

  it('scanning an address gives what parsing it with new URL gives', () => {
    const piece = fc.stringMatching(/^[\w\-.~!$&()*+,;=:@]{0,6}$/)
    const address = fc
      .tuple(
        fc.constantFrom('http', 'https'),
        fc.constantFrom('', 'www.', 'www.www.'),
        fc.constantFrom(
          'example.org',
          'a.b',
          '1.2',
          'x0.7',
          '10.0.0.1',
          'a-.c',
          'xn--a.b',
          'a--b.c',
          'a_b.c',
          '-a.b-',
          'a.b.',
          '0x1',
          'EXAMPLE.com',
          'a..b',
        ),
        fc.constantFrom('', ':', ':80', ':443', ':8080', ':0080', ':65535', ':8080a'),
        fc.array(fc.oneof(piece, fc.constantFrom('.', '..', '%2e', '%2E.', '.%2e', '%41', '%c3%BC', '%zz', 'ü', ' ')), {
          maxLength: 4,
        }),
        fc.option(fc.oneof(piece, fc.constantFrom('utm_source=a&b=c', 'gclid&a=', 'a=1&&b', '%2e/?', "it's")), {
          nil: undefined,
        }),
        fc.option(fc.oneof(piece, fc.constantFrom('/route', '!route', '/a#b', '%2e', '')), { nil: undefined }),
      )
      .map(
        ([scheme, www, host, port, path, query, fragment]) =>
          `${scheme}://${www}${host}${port}${path.map((part) => `/${part}`).join('')}${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`,
      )
    fc.assert(
      fc.property(address, (written) => {
        fc.pre(URL.canParse(written))
        expect(canonicalAddress(written)).toBe(reference(written))
      }),
      { numRuns: 1_000 },
    )
  })

  it('does not slow down on long hostile addresses', () => {
    const spentMs = startCpuTimer()
    for (const part of ['a.', 'a-', '/./', '?&', '#/', '&utm_']) canonicalAddress(`https://a.b/${part.repeat(20_000)}`)
    canonicalAddress(`https://${'a.'.repeat(20_000)}`)
    expect(spentMs()).toBeLessThan(200)
  })
})
