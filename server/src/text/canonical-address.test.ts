import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { blemishesOf, canonicalAddress } from './canonical-address.ts'

const SAME: [string, string][] = [
  ['http://example.org/a', 'https://example.org/a'],
  ['https://www.example.org/a', 'https://example.org/a'],
  ['https://example.org:443/a', 'https://example.org/a'],
  ['http://example.org:80/a', 'https://example.org/a'],
  ['https://example.org/a/', 'https://example.org/a'],
  ['https://example.org', 'https://example.org/'],
  ['https://example.org/a?utm_source=x&b=1', 'https://example.org/a?b=1'],
  ['https://example.org/a?gclid=x', 'https://example.org/a'],
  ['https://example.org/a#part', 'https://example.org/a'],
  ['https://EXAMPLE.org/a', 'https://example.org/a'],
  ['https://example.org/a/../b', 'https://example.org/b'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://example.org/a b', 'https://example.org/a%20b'],
  ['https://example.org/caf%c3%a9', 'https://example.org/caf%C3%A9'],
  ['https://example.org/index.html', 'https://example.org/'],
  ['https://example.org/a/index.htm?b=1', 'https://example.org/a?b=1'],
  ['https://m.example.org/a', 'https://example.org/a'],
  ['https://mobile.example.org/a', 'https://www.example.org/a'],
  ['https://en.m.wikipedia.org/wiki/Bowerbird', 'https://en.wikipedia.org/wiki/Bowerbird'],
  ['https://amp.example.org/a', 'https://example.org/a'],
  ['https://example.org/a/amp/', 'https://example.org/a'],
  ['https://example.org/a?amp=1', 'https://example.org/a'],
  ['https://example.org/a?b=1&amp', 'https://example.org/a?b=1'],
  ['https://www.google.co.uk/amp/s/www.example.org/a', 'https://example.org/a'],
  ['https://www-example-org.cdn.ampproject.org/c/s/www.example.org/a', 'https://example.org/a'],
  ['https://youtu.be/dQw4w9WgXcQ?si=x', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
  ['https://m.youtube.com/watch?feature=share&v=dQw4w9WgXcQ&t=10s', 'https://youtube.com/watch?v=dQw4w9WgXcQ'],
  ['https://old.reddit.com/r/birds/', 'https://www.reddit.com/r/birds'],
  ['https://twitter.com/birds', 'https://x.com/birds'],
  ['https://arxiv.org/pdf/2106.09685v2.pdf', 'https://arxiv.org/abs/2106.09685v2'],
  ['http://dx.doi.org/10.1000/ABC', 'https://doi.org/10.1000/abc'],
]

const DIFFERENT: [string, string][] = [
  ['https://example.org/a', 'https://example.org/b'],
  ['https://example.org/A', 'https://example.org/a'],
  ['https://example.org:8443/a', 'https://example.org/a'],
  ['https://example.org/a?b=1', 'https://example.org/a?b=2'],
  ['https://example.org/#/inbox', 'https://example.org/#/sent'],
  ['https://example.org/#!/inbox', 'https://example.org/'],
  ['https://www2.example.org/', 'https://example.org/'],
  ['https://m.org/', 'https://org/'],
  ['https://example.org/ampere', 'https://example.org/ere'],
  ['https://example.org/amp/a', 'https://example.org/a'],
  ['https://example.org/a?amperes=1', 'https://example.org/a'],
  ['https://example.org/index.html.txt', 'https://example.org/'],
  ['https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcR'],
  ['https://nottwitter.com/birds', 'https://x.com/birds'],
  ['https://arxiv.org/abs/2106.09685v1', 'https://arxiv.org/abs/2106.09685v2'],
]

/** Of these, the first is shown. */
const BETTER: [string, string][] = [
  ['https://example.org/a?utm_source=x', 'http://example.org/a'],
  ['https://example.org/a', 'https://example.org/a?utm_source=x'],
  ['https://example.org/a', 'https://example.org/a#part'],
  ['https://example.org/a#part', 'https://m.example.org/a'],
  ['https://en.wikipedia.org/wiki/Bowerbird', 'https://en.m.wikipedia.org/wiki/Bowerbird'],
  ['https://www.example.org/a/', 'https://example.org/a?gclid=1'],
]

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
  it.each(SAME)('%s is the same page as %s', (one, other) => {
    expect(canonicalAddress(one)).toBe(canonicalAddress(other))
  })

  it.each(DIFFERENT)('%s is not the same page as %s', (one, other) => {
    expect(canonicalAddress(one)).not.toBe(canonicalAddress(other))
  })

  it.each(BETTER)('%s is better than %s', (one, other) => {
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
      { numRuns: 5_000 },
    )
  })

  it('does not slow down on long hostile addresses', () => {
    const spentMs = startCpuTimer()
    for (const part of ['a.', 'a-', '/./', '?&', '#/', '&utm_']) canonicalAddress(`https://a.b/${part.repeat(20_000)}`)
    canonicalAddress(`https://${'a.'.repeat(20_000)}`)
    expect(spentMs()).toBeLessThan(200)
  })
})
