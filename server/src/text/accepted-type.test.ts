import { describe, expect, it } from 'vitest'
import { preferredType } from './accepted-type.ts'

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

  it('takes no time over a header that is meant to take some', () => {
    const startedAt = performance.now()
    expect(preferred('a;q=1;'.repeat(3_000))).toBeUndefined()
    expect(preferred(','.repeat(16_000))).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})
