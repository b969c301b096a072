import { describe, expect, it } from 'vitest'
import { createSentBefore } from './sent-before.ts'

const BYTES = Buffer.from('a page')

describe('a page that was sent before', () => {
  it('is found for the same reader, made of the same parts, in the same compression', () => {
    const pages = createSentBefore()
    const results = [{}]
    pages.keep('/search ada', [results, 'minute 1'], { encoding: 'br', bytes: BYTES })
    expect(pages.find('/search ada', [results, 'minute 1'], 'br')).toBe(BYTES)
    expect(pages.find('/search grace', [results, 'minute 1'], 'br')).toBeUndefined()
    expect(pages.find('/search ada', [results, 'minute 2'], 'br')).toBeUndefined()
    expect(pages.find('/search ada', [[{}], 'minute 1'], 'br')).toBeUndefined()
    expect(pages.find('/search ada', [results, 'minute 1'], '')).toBeUndefined()
  })

  it('forgets what it was made of before', () => {
    const pages = createSentBefore()
    pages.keep('/search ada', ['old'], { encoding: 'br', bytes: BYTES })
    pages.keep('/search ada', ['new'], { encoding: '', bytes: Buffer.from('newer') })
    expect(pages.find('/search ada', ['new'], 'br')).toBeUndefined()
    expect(pages.find('/search ada', ['new'], '')?.toString()).toBe('newer')
  })
})
