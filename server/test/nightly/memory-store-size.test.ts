// The real memory use of the memory store, measured in a separate process, without what other tests leave behind.
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/cache/memory-store.ts'
import { usedMemory } from '../support/used-memory.ts'

const aPage = (text: string, lifeMs = 1_000_000) => ({ text, bornAt: 0, lifeMs })
const open = (maxBytes: number) => createMemoryStore({ clock: () => 0, maxBytes })

/** Built like a provider's response: no two share a string. */
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

describe('the memory store', () => {
  it.each([
    ['that come once', 'x', false],
    ['that come once, beyond Latin-1', '…', false],
    ['that come again', 'x', true],
    ['that come again, beyond Latin-1', '…', true],
  ])('stays within its size limit and makes good use of it: responses %s', async (_, letter, comesAgain) => {
    const maxBytes = 10_000_000
    const before = await usedMemory()
    const memory = open(maxBytes)
    for (let number = 0; number < 20_000; number += 1) {
      memory.keep(`key-of-page-${number}`, aPage(pageText(number, letter)))
      if (comesAgain) memory.find(`key-of-page-${number}`, 0)
    }
    const grown = (await usedMemory()) - before
    expect(grown).toBeLessThan(maxBytes * 1.05)
    const kept = Array.from({ length: 20_000 }, (_, number) => memory.find(`key-of-page-${number}`, 0)).filter(Boolean)
    // A character is counted as two bytes.
    expect(kept.length * 2 * pageText(19_999, letter).length).toBeGreaterThan(maxBytes * 0.8)
    expect(memory.find('key-of-page-19999', 0)?.response).toEqual(JSON.parse(pageText(19_999, letter)))
    expect(memory.find('key-of-page-0', 0)).toBeUndefined()
  })
})
