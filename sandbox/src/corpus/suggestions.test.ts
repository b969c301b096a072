import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggest } from './suggestions.ts'

const from = (engine: string, text: string) => suggest('test', { engine, text, count: 10 })

describe('suggestions', () => {
  it('continue any text: ten of them, all different, never the text itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), (text) => {
        const typed = text.trim().toLowerCase().replace(/\s+/g, ' ')
        fc.pre(typed !== '')
        const found = from('brave', text)
        expect(new Set(found).size).toBe(10)
        expect(found).not.toContain(typed)
        for (const suggestion of found) expect(suggestion.startsWith(typed)).toBe(true)
      }),
    )
  })

  it('are reproducible, differ between providers and partly overlap', () => {
    expect(from('brave', 'tea')).toEqual(from('brave', ' TEA '))
    const [brave, other] = [from('brave', 'tea'), from('duckduckgo', 'tea')]
    expect(brave).not.toEqual(other)
    expect(brave.filter((suggestion) => other.includes(suggestion)).length).toBeGreaterThan(2)
  })

  it('complete the last word', () => {
    expect(from('brave', 'cli').some((suggestion) => suggestion.startsWith('climate'))).toBe(true)
    expect(from('brave', 'learn pyth').some((suggestion) => suggestion.startsWith('learn python'))).toBe(true)
  })

  it('are hand-written for climate', () => {
    expect(from('brave', 'climate')).toContain('climate change')
  })

  it.each(['', ' ', 'nothingtofind'])('do not exist for "%s"', (text) => {
    expect(from('brave', text)).toEqual([])
  })
})
