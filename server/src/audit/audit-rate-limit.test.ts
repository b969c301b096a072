import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { createEventGate } from './audit-rate-limit.ts'

const NOW = Date.UTC(2026, 10, 15)
const silent = createLog('silent')

describe('what strangers cause', () => {
  it('is recorded once a minute when it is the same', () => {
    let now = NOW
    const gate = createEventGate(() => now, silent)
    expect([gate.admits('a'), gate.admits('a'), gate.admits('b')]).toEqual([true, false, true])
    now += 60_000
    expect(gate.admits('a')).toBe(true)
  })

  it('is bounded in all, and how much was left out is in the log', () => {
    let now = NOW
    const lines: string[] = []
    const gate = createEventGate(() => now, pino({}, { write: (line: string) => void lines.push(line) }))
    const admitted = Array.from({ length: 5_000 }, () => gate.admits()).filter(Boolean)
    expect(admitted).toHaveLength(600)
    now += 60_000
    expect(gate.admits()).toBe(true)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ leftOut: 4_400 })
  })
})
