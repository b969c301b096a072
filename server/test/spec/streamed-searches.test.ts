// Streams against real providers: `done` matches the JSON response, results arrive before the slowest engine, and a
// client that disconnects cancels the calls that no other request waits for.
import type { Fault } from '@bowerbird/sandbox'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { allEvents, readEvents, type StreamEvent } from '../support/read-events.ts'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const SLOTS = { engine_a: 'brave', engine_b: 'mojeek', engine_c: 'marginalia' } as const
const PATIENCE_MS = 15_000

// Far longer than any test waits, so that nothing ends because of this timeout.
const server = useTestInstance({ ...WITHOUT_RATE_LIMIT, SEARCH_TIMEOUT_MS: '20000' })
beforeEach(() => server.sandbox.reset())

const open = (path: string, signal?: AbortSignal) =>
  fetch(server.url + path, {
    headers: { authorization: `Api-Key ${server.key}`, accept: 'text/event-stream', 'accept-encoding': 'gzip, br' },
    ...(signal && { signal }),
  })
const bodyIn = ({ data }: StreamEvent): string => /^\{"body":(.+),"headers":\{[^{}]*\}\}$/.exec(data)?.[1] ?? ''
const setFault = (fault: Fault | undefined, ...slugs: string[]) => {
  for (const slug of slugs) server.sandbox.setFault(slug, fault)
}
const metric = async (name: string): Promise<number> => {
  const text = await server.instance.services.metrics.text()
  const line = text.split('\n').find((one) => one.startsWith(name))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}
const inFlight = (slug: string) => metric(`bowerbird_upstream_in_flight{provider="${slug}",use="search"}`)

describe('done', () => {
  it.each([
    '/api/v1/web/?q=',
    '/api/v1/images/?q=',
    '/api/v1/news/?q=',
    '/api/v1/videos/?q=',
    '/api/v1/web/?safe=off&date=m&q=',
    '/api/v1/web/?lang=fr&engine=engine_b,engine_c&q=',
    '/api/v1/news/?date=w&q=',
    '/api/v1/web/?include=explain&q=',
  ])('%s… has the body of the JSON response, byte for byte, from providers and from the cache', async (path) => {
    const query = encodeURIComponent(freshQuery())
    const fromProviders = await allEvents(await open(path + query))
    const json = await server.api.get(path + query)
    const fromMemory = await allEvents(await open(path + query))
    for (const events of [fromProviders, fromMemory]) {
      const done = events.at(-1)
      expect(done?.event).toBe('done')
      expect(done && bodyIn(done)).toBe(json.text)
      expect(done?.json.headers['Search-Status']).toBe(json.headers.get('search-status'))
    }
    expect(fromMemory.map(({ event }) => event).filter((event) => event === 'results')).toEqual([])
  })
})

describe('results', () => {
  it('arrive while the slowest engine is still running, in the format of the response', async () => {
    setFault({ kind: 'hang' }, 'brave')
    const leaving = new AbortController()
    const events: StreamEvent[] = []
    for await (const event of readEvents(await open(`/api/v1/web/?q=${freshQuery()}`, leaving.signal))) {
      events.push(event)
      if (event.event === 'results') break
    }
    leaving.abort()
    expect(events[0]?.json).toEqual({
      request_id: expect.any(String),
      engines: ['engine_a', 'engine_b', 'engine_c'],
    })
    expect(Object.keys(events.at(-1)?.json.results[0])).toEqual([
      'title',
      'url',
      'description',
      'display_url',
      'favicon_url',
      'age',
      'source',
      'source_label',
      'sitelinks',
    ])
  })
})

describe('a client that disconnects', () => {
  it('cancels calls that no other request waits for, without counting as a provider failure', async () => {
    setFault({ kind: 'hang' }, ...Object.values(SLOTS))
    // More than the number of failures that open a circuit.
    for (let i = 0; i < 6; i++) {
      const leaving = new AbortController()
      const response = await open(`/api/v1/web/?q=${freshQuery()}`, leaving.signal)
      expect((await readEvents(response).next()).value.event).toBe('start')
      expect(await eventually(async () => (await inFlight('brave')) === 1, PATIENCE_MS)).toBe(true)
      leaving.abort()
      expect(await eventually(async () => (await inFlight('brave')) === 0, PATIENCE_MS)).toBe(true)
    }
    expect(await metric('bowerbird_circuit_open{provider="brave",use="search"}')).toBe(0)
    server.sandbox.reset()
    const next = await server.api.get(`/api/v1/web/?q=${freshQuery()}`)
    expect(next.headers.get('search-status')).toBe('complete')
  })
})
