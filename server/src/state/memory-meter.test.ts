import { describe, expect, it } from 'vitest'
import { createMemoryMeter } from './memory-meter.ts'
import { meterRules, NOON } from '../limits/rate-limiter-rules.test-body.ts'

let now = NOON
let used = 0
const openTrial = async () => ({
  meter: createMemoryMeter({
    clock: () => now,
    source: 'memory:test',
    loadMonthUsage: async () => ({ used, validMs: 600_000 }),
  }),
  setTime(ms: number) {
    now = ms
  },
  setMonthUsage(value: number) {
    used = value
  },
  close: async () => undefined,
})

meterRules('the meter in memory', openTrial, 200)

describe('the meter in memory', () => {
  const limits = {
    burst: { count: 5, windowMs: 60_000 },
    sustained: { count: 100, windowMs: 86_400_000 },
    monthlyCap: undefined,
  }

  it('an admission noted from elsewhere uses the limits up and is not counted', async () => {
    const { meter } = await openTrial()
    now = NOON
    const request = { caller: '1', limits, endpoint: 'web' }
    for (let i = 0; i < 5; i++) meter.note(request, NOON)
    expect((await meter.spend(request)).refusedBy).toBe('burst')
    expect(meter.refusalOf(request)?.retryAfterSeconds).toBe(60)
    expect(await meter.usageOf('1', '2026-11-15')).toEqual([])
  })

  it('many requests that wait for the same month usage together get no more than the cap', async () => {
    now = NOON
    const loading = new Promise((resolve) => setTimeout(resolve, 20)).then(() => ({ used: 0, validMs: 600_000 }))
    const meter = createMemoryMeter({ clock: () => now, source: 'memory:test', loadMonthUsage: () => loading })
    const capped = { ...limits, burst: { count: 50, windowMs: 60_000 }, monthlyCap: 3 }
    const spends = Array.from({ length: 20 }, () => meter.spend({ caller: '1', limits: capped, endpoint: 'web' }))
    expect((await Promise.all(spends)).filter(({ refusedBy }) => !refusedBy)).toHaveLength(3)
  })

  it('forgets callers that have nothing left in any window, and keeps within bounds under a flood of strangers', async () => {
    const { meter } = await openTrial()
    now = NOON
    const strict = { ...limits, sustained: { count: 100, windowMs: 1_000 } }
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 250_000; i++) {
      await meter.spend({ caller: `address:${i}`, limits: strict, endpoint: undefined })
      if (i % 1_000 === 0) now += 30_000
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000)
  })

  it('hands out what is unwritten once, takes it back, and drops past days only when they are written', async () => {
    const { meter } = await openTrial()
    now = NOON
    await meter.spend({ caller: '1', limits, endpoint: 'web' })
    const taken = meter.usage.takeUnwritten()
    expect(taken.counts).toMatchObject([{ caller: '1', counted: 1 }])
    expect(meter.usage.takeUnwritten().counts).toEqual([])
    taken.putBack()
    meter.usage.forgetBefore('2026-11-17')
    expect(await meter.usageOf('1', '2026-11-15')).toMatchObject([{ counted: 1 }])
    meter.usage.takeUnwritten()
    meter.usage.forgetBefore('2026-11-17')
    expect(await meter.usageOf('1', '2026-11-15')).toEqual([])
  })
})
