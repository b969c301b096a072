import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { createAuditRateLimit } from './audit-rate-limit.ts'

const NOW = Date.UTC(2026, 10, 15)
const silent = createLog('silent')

describe('what strangers cause', () => {
  it('is recorded once a minute when it is the same', () => {
    let now = NOW
    const limit = createAuditRateLimit(() => now, silent)
    expect([limit.admits('a'), limit.admits('a'), limit.admits('b')]).toEqual([true, false, true])
    now += 60_000
    expect(limit.admits('a')).toBe(true)
  })

  it('is bounded in all, and how much was left out is in the log', () => {
    let now = NOW
    const lines: string[] = []
    const limit = createAuditRateLimit(() => now, pino({}, { write: (line: string) => void lines.push(line) }))
    const admitted = Array.from({ length: 5_000 }, () => limit.admits()).filter(Boolean)
    expect(admitted).toHaveLength(600)
    now += 60_000
    expect(limit.admits()).toBe(true)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ leftOut: 4_400 })
  })
})
