import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryPages } from './memory-pages.ts'

const aPage = (text: string, own: { lifeMs?: number; isWantedAgain?: boolean } = {}) => ({
  page: JSON.parse(text) as unknown,
  text,
  bornAt: 0,
  lifeMs: 1_000_000,
  isWantedAgain: false,
  ...own,
})
const open = (maxBytes = 1_000_000) => createMemoryPages({ clock: () => 0, maxBytes })
const ofLength = (length: number) => JSON.stringify('x'.repeat(length - 2))

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
  it.each([
    ['that come once', 'x', false],
    ['that come once, beyond Latin-1', '…', false],
    ['that come again', 'x', true],
    ['that come again, beyond Latin-1', '…', true],
  ])('holds no more bytes than it may, and makes good use of them: pages %s', (_, letter, isWantedAgain) => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const used = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const maxBytes = 10_000_000
    collect()
    const before = used()
    const memory = open(maxBytes)
    for (let number = 0; number < 20_000; number += 1) {
      memory.keep(`key-of-page-${number}`, aPage(pageText(number, letter), { isWantedAgain }))
    }
    collect()
    const grown = used() - before
    expect(grown).toBeLessThan(maxBytes * 1.05)
    expect(grown).toBeGreaterThan(maxBytes * 0.5)
    expect(memory.find('key-of-page-19999', 0)?.page).toEqual(JSON.parse(pageText(19_999, letter)))
    expect(memory.find('key-of-page-0', 0)).toBeUndefined()
  })

  it('gives the same object each time from the first time on', () => {
    const memory = open()
    memory.keep('once', aPage('{"hits":[]}'))
    const page = memory.find('once', 0)?.page
    expect(page).toEqual({ hits: [] })
    expect(memory.find('once', 0)?.page).toBe(page)
    const shared = aPage('{"hits":[]}', { isWantedAgain: true })
    memory.keep('again', shared)
    expect(memory.find('again', 0)?.page).toBe(shared.page)
    const newer = aPage('{"hits":[1]}')
    memory.keep('again', newer)
    expect(memory.find('again', 0)?.page).toBe(newer.page)
  })

  it('keeps what is used, whatever else comes', () => {
    const memory = open()
    memory.keep('used', aPage(ofLength(4_000)))
    for (let number = 0; number < 1_000; number += 1) {
      memory.keep(`other-${number}`, aPage(ofLength(4_000)))
      expect(memory.find('used', 0)).toBeDefined()
      if (number % 3 === 0) memory.find(`other-${number}`, 0)
    }
    expect(memory.find('other-0', 0)).toBeUndefined()
  })

  it('finds a page again that is no object any more but still in the ring', () => {
    const memory = open()
    const text = JSON.stringify({ title: 'x'.repeat(8_000) })
    for (let number = 0; number < 50; number += 1) memory.keep(`page-${number}`, aPage(text, { isWantedAgain: true }))
    expect(memory.find('page-0', 0)?.page).toEqual(JSON.parse(text))
  })

  it('gives nothing at the end of its life', () => {
    const memory = open()
    memory.keep('page', aPage('{}', { lifeMs: 1_000 }))
    memory.keep('object', aPage('{}', { lifeMs: 1_000, isWantedAgain: true }))
    for (const key of ['page', 'object']) {
      expect(memory.find(key, 999)).toBeDefined()
      expect(memory.find(key, 1_000)).toBeUndefined()
    }
  })

  it('has really let it go half a minute later', () => {
    vi.useFakeTimers()
    try {
      let now = 0
      const memory = createMemoryPages({ clock: () => now, maxBytes: 1_000_000 })
      memory.keep('page', aPage('{}', { lifeMs: 1_000, isWantedAgain: true }))
      memory.keep('longer', aPage('{}', { lifeMs: 90_000 }))
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
    const memory = open()
    memory.keep('small', aPage('{}'))
    memory.keep('huge', aPage(ofLength(400_000), { isWantedAgain: true }))
    expect(memory.find('huge', 0)).toBeUndefined()
    expect(memory.find('small', 0)).toBeDefined()
  })
})
