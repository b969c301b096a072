import { describe, expect, it } from 'vitest'
import {
  calibratedWeight,
  formatCalibratedWeights,
  parseCalibratedWeights,
  scopeOf,
  withScope,
} from './calibrated-weights.ts'

const WRITTEN = 'web:brave=1.4 web:mojeek=0.6 web/de:brave=0.9'

describe('CALIBRATED_WEIGHTS', () => {
  it('is written as it was read', () => {
    expect(formatCalibratedWeights(parseCalibratedWeights(WRITTEN) ?? new Map())).toBe(WRITTEN)
    expect(parseCalibratedWeights('')).toEqual(new Map())
  })

  it('is refused in any other form', () => {
    for (const text of [
      'brave=1',
      'web:brave',
      'nowhere:brave=1',
      'web:brave=0',
      'web:brave=101',
      'web/german:brave=1',
    ])
      expect(parseCalibratedWeights(text), text).toBeUndefined()
  })

  it('weighs an engine in its tab, and in a language if there are weights for it', () => {
    const weights = parseCalibratedWeights(WRITTEN) ?? new Map()
    expect(calibratedWeight(weights, { tab: 'web', lang: '' }, 'brave')).toBe(1.4)
    expect(calibratedWeight(weights, { tab: 'web', lang: 'fr' }, 'brave')).toBe(1.4)
    expect(calibratedWeight(weights, { tab: 'web', lang: 'de-AT' }, 'brave')).toBe(0.9)
    // Those of a language are a set of their own.
    expect(calibratedWeight(weights, { tab: 'web', lang: 'de' }, 'mojeek')).toBeUndefined()
    expect(calibratedWeight(weights, { tab: 'news', lang: '' }, 'brave')).toBeUndefined()
  })

  it('replaces the weights of one scope and leaves the others', () => {
    const next = withScope(WRITTEN, scopeOf('web', ''), new Map([['brave', 1.004]]))
    expect(next).toBe('web:brave=1 web/de:brave=0.9')
  })
})
