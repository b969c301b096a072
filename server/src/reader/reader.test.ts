// Whose pages are read when. Fetching and extraction are staged; the cache and its single flight are real.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createResponseCache } from '../cache/response-cache.ts'
import { createReader, type ReadTerms } from './reader.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

/** A reader of pages that don't arrive before `arrive` is called. */
function openReader(reason?: 'too_complex') {
  const log = pino({ level: 'silent' })
  const arriving = new Map<string, () => void>()
  const page = { title: '', byline: '', siteName: '', language: '', published: '' }
  const reader = createReader({
    pages: {
      async fetch(address) {
        await new Promise<void>((resolve) => arriving.set(address, resolve))
        return { address, contentType: 'text/plain', bytes: Buffer.from(address), etag: '', lastModified: '' }
      },
      close: async () => undefined,
    },
    robots: { requireAllowed: async () => undefined },
    extractor: {
      extract: async ({ bytes }) =>
        reason
          ? { ok: false, reason }
          : { ok: true, page: { ...page, type: 'text', content: Buffer.from(bytes).toString() } },
      close: async () => undefined,
    },
    cache: createResponseCache({ shared: undefined, clock: Date.now, maxAgeSeconds: 600, log }),
    clock: Date.now,
  })
  return {
    read: (address: string, terms: Omit<ReadTerms, 'format'>) => reader.read(address, { format: 'text', ...terms }),
    arriving,
    arrive: (address: string) => arriving.get(address)?.(),
  }
}

describe('fair shares', () => {
  it('a key has two reads under way, and the others wait for them', async () => {
    const { read, arriving, arrive } = openReader()
    const reads = ['a', 'b', 'c'].map((name) => read(`https://${name}.example/`, { subject: 'greedy' }))
    await settled()
    expect([...arriving.keys()]).toEqual(['https://a.example/', 'https://b.example/'])
    arrive('https://a.example/')
    await settled()
    expect([...arriving.keys()]).toContain('https://c.example/')
    arrive('https://b.example/')
    arrive('https://c.example/')
    expect((await Promise.all(reads)).map(({ ok }) => ok)).toEqual([true, true, true])
  })

  it('another key is not kept waiting, nor is a page that is in the cache', async () => {
    const { read, arrive } = openReader()
    const other = read('https://other.example/', { subject: 'other' })
    await settled()
    void read('https://a.example/', { subject: 'greedy' })
    void read('https://b.example/', { subject: 'greedy' })
    await settled()
    arrive('https://other.example/')
    expect((await other).ok).toBe(true)
    expect((await read('https://other.example/', { subject: 'greedy' })).ok).toBe(true)
  })

  it('a read that has waited in vain times out, and too many are refused', async () => {
    const { read } = openReader()
    void read('https://a.example/', { subject: 'greedy' })
    void read('https://b.example/', { subject: 'greedy' })
    const waiting = Array.from({ length: 20 }, (_, at) =>
      read(`https://${at}.example/`, { subject: 'greedy', withinMs: 200.5 }),
    )
    await expect(read('https://last.example/', { subject: 'greedy' })).rejects.toMatchObject({ kind: 'busy' })
    expect(await waiting[0]).toEqual({ ok: false, reason: 'timeout' })
  })

  it('a page that is too complex is charged to whoever had it read, and not again from the cache', async () => {
    const { read, arrive } = openReader('too_complex')
    const charged: string[] = []
    const terms = (subject: string) => ({ subject, onTooComplex: async () => void charged.push(subject) })
    const first = read('https://a.example/', terms('first'))
    await settled()
    arrive('https://a.example/')
    expect(await first).toEqual({ ok: false, reason: 'too_complex' })
    expect(await read('https://a.example/', terms('second'))).toEqual({ ok: false, reason: 'too_complex' })
    expect(charged).toEqual(['first'])
  })
})
