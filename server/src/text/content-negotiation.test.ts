import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { compress, encodingFor, entityTag, isKnownTag, preferredType } from './content-negotiation.ts'

const OFFERED = ['text/event-stream', 'application/x-ndjson'] as const
const preferred = (accept: string) => preferredType(accept, 'application/json', OFFERED)

describe('the type that a client prefers', () => {
  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream; charset=utf-8', 'text/event-stream'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson, */*', 'application/x-ndjson'],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
    ['application/json; q=0.8, application/x-ndjson; q=0.9', 'application/x-ndjson'],
    ['text/event-stream;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson, text/event-stream', 'application/x-ndjson'],
    ['text/event-stream, application/*;q=0.1', 'text/event-stream'],
  ])('%s: a stream, %s', (accept, type) => {
    expect(preferred(accept)).toBe(type)
  })

  it.each([
    '',
    '*/*',
    'text/*',
    'application/*',
    'text/html',
    'application/json',
    'application/json, text/event-stream',
    'text/event-stream, application/json',
    'text/event-stream;q=0',
    'text/event-stream;q=0.4, application/json;q=0.5',
    'text/event-stream;q=0.4, */*;q=0.5',
    'text/event-streams',
    ',;,;q=1,/',
  ])('%j: the usual one', (accept) => {
    expect(preferred(accept)).toBeUndefined()
  })

  it('parses a hostile header quickly', () => {
    const spentMs = startCpuTimer()
    expect(preferred('a;q=1;'.repeat(3_000))).toBeUndefined()
    expect(preferred(','.repeat(16_000))).toBeUndefined()
    expect(spentMs()).toBeLessThan(1_000)
  })
})

it('only the first twenty members of a list are read', () => {
  expect([
    encodingFor('a,'.repeat(19).concat('br'), ['br']),
    encodingFor('a,'.repeat(20).concat('br'), ['br']),
  ]).toEqual(['br', undefined])
  expect(isKnownTag('"x",'.repeat(19).concat('"a"'), '"a"')).toBe(true)
  expect(isKnownTag('"x",'.repeat(20).concat('"a"'), '"a"')).toBe(false)
  const weighed = (parameters: number) => `application/json;q=0.5, text/event-stream${';x'.repeat(parameters)};q=0.1`
  expect([preferred(weighed(10)), preferred(weighed(20))]).toEqual([undefined, 'text/event-stream'])
})

describe('content encoding', () => {
  it.each([
    ['br', 'br'],
    ['gzip, br, zstd', 'zstd'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, BR', 'br'],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
    ['brotli', undefined],
    ['gzip;q=0.000', undefined],
  ])('Accept-Encoding %s → %s', (header, encoding) => {
    expect(encodingFor(header, ['zstd', 'br', 'gzip'])).toBe(encoding)
  })

  it.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('%s makes text smaller, and it unpacks to the same', async (encoding, unpack) => {
    const text = Buffer.from('straw '.repeat(1_000))
    const packed = await compress(text, encoding)
    expect(packed.length).toBeLessThan(text.length / 10)
    expect(unpack(packed)).toEqual(text)
  })
})

describe('entity tags', () => {
  it('are the same for the same content, as text and as bytes, and no other', () => {
    expect(entityTag('straw')).toMatch(/^W\/"[\w-]{22}"$/)
    expect(entityTag(Buffer.from('straw'))).toBe(entityTag('straw'))
    expect(entityTag('Straw')).not.toBe(entityTag('straw'))
  })

  it.each([
    ['W/"a"', true],
    ['"a"', true],
    ['"x", W/"a"', true],
    ['*', true],
    [' "a" ', true],
    ['"A"', false],
    ['a', false],
    ['', false],
    ['"x"', false],
    [undefined, false],
  ])('If-None-Match: %s has W/"a": %s', (header, isKnown) => {
    expect(isKnownTag(header, 'W/"a"')).toBe(isKnown)
  })
})
