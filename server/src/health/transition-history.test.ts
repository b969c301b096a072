import { describe, expect, it } from 'vitest'
import { dayHistory, type ProviderTransition } from './transition-history.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const HOUR = 3_600_000

type State = ProviderTransition['to']

const move = (hoursAgo: number, [from, to]: [State, State], reason = 'ok') => ({
  provider: 'mojeek',
  group: 'web',
  from,
  to,
  at: NOW - hoursAgo * HOUR,
  reason,
})

const history = (state: 'up' | 'down' | 'unknown', transitions: ProviderTransition[] = []) =>
  dayHistory({ transitions, state, now: NOW, dayCount: 3 })

describe('the days of a provider', () => {
  it('without a transition, a provider has been in its current state all along', () => {
    expect(history('up').days).toEqual([
      { day: '2026-11-13', upShare: 1 },
      { day: '2026-11-14', upShare: 1 },
      { day: '2026-11-15', upShare: 1 },
    ])
    expect(history('down').upShare).toBe(0)
  })

  it('a provider that was never observed has no share of uptime', () => {
    const { days, upShare } = history('unknown')
    expect(days.map((day) => day.upShare)).toEqual([undefined, undefined, undefined])
    expect(upShare).toBeUndefined()
  })

  it('time before the first observation counts neither way', () => {
    const { days, upShare } = history('up', [move(6, ['unknown', 'up'])])
    expect(days.map((day) => day.upShare)).toEqual([undefined, undefined, 1])
    expect(upShare).toBe(1)
  })

  it('an outage over midnight is shared out between its days', () => {
    const { days, upShare, reason } = history('up', [move(18, ['up', 'down'], 'timeout'), move(6, ['down', 'up'])])
    expect(days.map((day) => day.upShare)).toEqual([1, 0.75, 0.5])
    expect(upShare).toBe(1 - 12 / 60)
    expect(reason).toBe('ok')
  })

  it('says why it is down', () => {
    expect(history('down', [move(3, ['up', 'down'], 'throttled')])).toMatchObject({ reason: 'throttled' })
  })
})
