import { pino } from 'pino'
import { expect, it } from 'vitest'
import { LoadShedder } from './load-shedder.ts'

function open(maxInFlight: number) {
  const lines: string[] = []
  const stage = { now: 0, lines }
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  return { stage, load: new LoadShedder({ maxInFlight, log, clock: () => stage.now }) }
}

it('is full at the limit, and no longer once a request has left', () => {
  const { load } = open(3)
  for (let i = 0; i < 3; i++) {
    expect(load.isFull).toBe(false)
    load.enter()
  }
  expect(load.isFull).toBe(true)
  load.leave()
  expect(load.isFull).toBe(false)
})

it('is never full without a limit', () => {
  const { load } = open(0)
  for (let i = 0; i < 100_000; i++) load.enter()
  expect(load.isFull).toBe(false)
})

it('counts every refusal, and logs at most one line a second', () => {
  const { load, stage } = open(1)
  load.enter()
  for (let i = 0; i < 2_500; i++) {
    stage.now = i
    const { status, headers } = load.refuse()
    expect([status, headers]).toEqual([503, { 'Error-Code': 'overloaded', 'Retry-After': '2' }])
  }
  expect(load.refused).toBe(2_500)
  const refused = stage.lines.map((line) => JSON.parse(line).refused)
  expect(refused).toEqual([1, 1_000, 1_000])
})
