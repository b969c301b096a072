import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { UpstreamError } from '../errors.ts'
import { createMemoryPages, type KeptPage } from './memory-pages.ts'

const kept = (page: unknown, hardAt = Number.POSITIVE_INFINITY): KeptPage => ({
  page,
  bornAt: 0,
  softAt: hardAt / 2,
  hardAt,
  refreshAt: hardAt / 2,
  isFailing: false,
})

/** As a provider's reply comes to be: every text is its own. */
const pageText = (number: number, letter: string) =>
  JSON.stringify({
    hits: Array.from({ length: 10 }, (_, rank) => ({
      title: `Title ${rank} of ${number}`,
      url: `https://example.org/${number}/${rank}`,
      description: `${number} ${rank} ${letter.repeat(180)}`,
      faviconUrl: '',
      publishedAt: 1_700_000_000_000 + number,
      sitelinks: [],
    })),
    correction: '',
  })

describe('the memory of pages', () => {
  it.each(['x', '…'])('holds no more bytes than it may, and makes good use of them (texts of %s)', (letter) => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const maxBytes = 10_000_000
    const memory = createMemoryPages({ clock: () => 0, maxBytes })
    collect()
    const before = process.memoryUsage().heapUsed
    for (let number = 0; number < 20_000; number += 1) {
      const text = pageText(number, letter)
      memory.keep(`key-of-page-${number}`, kept(JSON.parse(text)), text.length)
    }
    collect()
    const grown = process.memoryUsage().heapUsed - before
    expect(grown).toBeLessThan(maxBytes * 1.05)
    expect(grown).toBeGreaterThan(maxBytes * 0.4)
    expect(memory.find('key-of-page-19999', 0)).toBeDefined()
    expect(memory.find('key-of-page-0', 0)).toBeUndefined()
  })

  it('keeps what is used', () => {
    const memory = createMemoryPages({ clock: () => 0, maxBytes: 1_000_000 })
    memory.keep('used', kept('page'), 4_000)
    for (let number = 0; number < 1_000; number += 1) {
      memory.keep(`other-${number}`, kept('page'), 4_000)
      expect(memory.find('used', 0)).toBeDefined()
    }
    expect(memory.find('other-0', 0)).toBeUndefined()
  })

  it('gives nothing at the end of its life', () => {
    const memory = createMemoryPages({ clock: () => 0, maxBytes: 1_000_000 })
    memory.keep('page', kept('page', 1_000), 10)
    memory.noteFailure('failure', new UpstreamError('timeout', 'x'), 1_000)
    expect(memory.find('page', 999)).toBeDefined()
    expect(memory.find('page', 1_000)).toBeUndefined()
    expect(memory.failureOf('failure', 999)).toBeDefined()
    expect(memory.failureOf('failure', 1_000)).toBeUndefined()
  })

  it('has really dropped it half a minute later', () => {
    vi.useFakeTimers()
    try {
      let now = 0
      const memory = createMemoryPages({ clock: () => now, maxBytes: 1_000_000 })
      memory.keep('page', kept('page', 1_000), 10)
      memory.keep('longer', kept('page', 90_000), 10)
      now = 30_000
      vi.advanceTimersByTime(30_000)
      expect(memory.find('page', 0)).toBeUndefined()
      expect(memory.find('longer', 0)).toBeDefined()
      now = 90_000
      vi.advanceTimersByTime(60_000)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not let one page push out all others', () => {
    const memory = createMemoryPages({ clock: () => 0, maxBytes: 1_000_000 })
    memory.keep('small', kept('page'), 1_000)
    memory.keep('huge', kept('page'), 400_000)
    expect(memory.find('huge', 0)).toBeUndefined()
    expect(memory.find('small', 0)).toBeDefined()
  })
})
