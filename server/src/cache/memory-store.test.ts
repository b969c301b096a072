import { describe, expect, it, vi } from 'vitest'
import { createMemoryStore } from './memory-store.ts'

const aResponse = (text: string, lifeMs = 1_000_000) => ({ text, bornAt: 0, lifeMs })
const open = (maxBytes = 1_000_000) => createMemoryStore({ clock: () => 0, maxBytes })
const ofLength = (length: number) => JSON.stringify('x'.repeat(length - 2))

describe('the memory store', () => {
  it('returns the same object each time, until there is a newer response', () => {
    const memory = open()
    memory.keep('key', aResponse('{"hits":[]}'))
    const response = memory.find('key', 0)?.response
    expect(response).toEqual({ hits: [] })
    expect(memory.find('key', 0)?.response).toBe(response)
    memory.keep('key', aResponse('{"hits":[1]}'))
    expect(memory.find('key', 0)?.response).toEqual({ hits: [1] })
  })

  it('keeps what is used, however much else is added', () => {
    const memory = open()
    memory.keep('used', aResponse(ofLength(4_000)))
    for (let number = 0; number < 1_000; number += 1) {
      memory.keep(`other-${number}`, aResponse(ofLength(4_000)))
      expect(memory.find('used', 0)).toBeDefined()
      if (number % 3 === 0) memory.find(`other-${number}`, 0)
    }
    expect(memory.find('other-0', 0)).toBeUndefined()
  })

  it('returns nothing at the end of its life', () => {
    const memory = open()
    memory.keep('page', aResponse('{}', 1_000))
    expect(memory.find('page', 999)).toBeDefined()
    expect(memory.find('page', 1_000)).toBeUndefined()
  })

  it('has released it half a minute later', () => {
    vi.useFakeTimers()
    try {
      let now = 0
      const memory = createMemoryStore({ clock: () => now, maxBytes: 1_000_000 })
      memory.keep('page', aResponse('{}', 1_000))
      memory.keep('longer', aResponse('{}', 90_000))
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

  it('does not let one response evict all others', () => {
    const memory = open()
    memory.keep('small', aResponse('{}'))
    memory.keep('huge', aResponse(ofLength(400_000)))
    expect(memory.find('huge', 0)).toBeUndefined()
    expect(memory.find('small', 0)).toBeDefined()
  })
})
