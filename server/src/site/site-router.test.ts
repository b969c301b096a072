import { describe, expect, it } from 'vitest'
import type { ProviderStatus } from '../health/provider-status.ts'
import { createProvidersDownCount } from './site-router.ts'

const health = (state: 'up' | 'down') => ({ state, checkedAt: 1, lastOkAt: 1, lastError: '', consecutiveFailures: 0 })
const provider = (state: 'up' | 'down' | undefined): ProviderStatus => ({
  slug: 'engine_a',
  provider: 'brave',
  name: 'Brave',
  group: 'web',
  monitor: 'query',
  health: state && health(state),
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the count of providers that are down', () => {
  it('is refreshed in the background, and no page waits for it', async () => {
    let now = 0
    let looks = 0
    let providers = [provider('down'), provider('up'), provider(undefined)]
    const list = async () => {
      looks += 1
      return providers
    }
    const glimpse = createProvidersDownCount({ list }, () => now)
    expect(glimpse()).toBeUndefined()
    await settled()
    expect(glimpse()).toBe(1)
    providers = [provider('up')]
    expect(glimpse()).toBe(1)
    expect(looks).toBe(1)
    now = 15_000
    expect(glimpse()).toBe(1)
    await settled()
    expect(glimpse()).toBe(0)
    expect(looks).toBe(2)
  })

  it('is unknown if the status cannot be read', async () => {
    const glimpse = createProvidersDownCount({ list: () => Promise.reject(new Error('away')) }, () => 0)
    glimpse()
    await settled()
    expect(glimpse()).toBeUndefined()
  })
})
