import { beforeEach, describe, expect, it } from 'vitest'
import { LoadShedder, TICK_MS } from './load-shedder.ts'

const TARGET_MS = 20

let now: number
let changes: boolean[]
let load: LoadShedder

beforeEach(() => {
  now = 1_000
  changes = []
  load = open()
})

const open = (limits: { maxLoopDelayMs?: number; maxInFlight?: number } = {}) =>
  new LoadShedder({
    maxLoopDelayMs: TARGET_MS,
    maxInFlight: 0,
    clock: () => now,
    random: () => 0.99,
    onChange: (isOverloaded) => void changes.push(isOverloaded),
    ...limits,
  })

/** The loop comes round that much later than it should, so many times. */
function tick(delayMs: number, times = 1): void {
  for (let i = 0; i < times; i++) {
    now += TICK_MS + delayMs
    load.tick()
  }
}

const enter = (count: number) => {
  for (let i = 0; i < count; i++) load.enter()
}

const leave = (count: number) => {
  for (let i = 0; i < count; i++) load.leave()
}

/** How many more costly requests are admitted at this moment; they stay in flight. */
function admitted(of = 1_000): number {
  let count = 0
  for (let i = 0; i < of; i++) {
    load.enter()
    if (load.isOverloaded && load.refuses('costly')) load.leave()
    else count++
  }
  return count
}

describe('a node with time to spare', () => {
  it('refuses nothing, however much is in flight', () => {
    tick(TARGET_MS, 100)
    expect(admitted()).toBe(1_000)
    expect(changes).toEqual([])
  })

  it('takes no notice of one long pause', () => {
    tick(0, 10)
    tick(900)
    expect(load.isOverloaded).toBe(false)
    tick(0, 10)
    expect(load.isOverloaded).toBe(false)
  })

  it('does not call itself overloaded while hardly anything is in flight, as on a slow machine that has just started', () => {
    enter(2)
    tick(TARGET_MS + 200, 20)
    expect(changes).toEqual([])
    enter(1)
    tick(TARGET_MS + 200)
    expect(changes).toEqual([true])
  })
})

describe('a node whose loop stays late', () => {
  it('admits half of what it had in flight, and refuses the rest with a wait', () => {
    enter(40)
    tick(TARGET_MS + 5, 4)
    expect(changes).toEqual([true])
    expect(admitted()).toBe(0)
    leave(40)
    expect(admitted()).toBe(20)
    const { status, body, headers } = load.refusal()
    expect({ status, body, headers }).toEqual({
      status: 503,
      body: { detail: 'The server is overloaded. Try again in 4 seconds.' },
      headers: { 'Retry-After': '4' },
    })
  })

  it('lowers the limit only when no more is in flight than that, and never to nothing', () => {
    enter(40)
    tick(TARGET_MS + 5, 20)
    leave(40)
    expect(admitted()).toBe(20)
    tick(TARGET_MS + 5)
    leave(20)
    expect(admitted()).toBe(16)
    for (let i = 0; i < 50; i++) {
      leave(load.inFlight)
      tick(TARGET_MS + 5)
    }
    expect(admitted()).toBe(2)
  })

  it('raises it by one at a time while it is on time and somebody is refused', () => {
    enter(40)
    tick(TARGET_MS + 5, 4)
    leave(40)
    admitted()
    for (let i = 0; i < 10; i++) {
      tick(0)
      admitted()
    }
    expect(load.inFlight).toBe(30)
    tick(0, 2)
    expect(admitted()).toBe(1)
  })

  it('lifts it after two seconds on time, and not because of a moment', () => {
    enter(40)
    tick(TARGET_MS + 5, 4)
    tick(0, 150)
    expect(load.isOverloaded).toBe(true)
    tick(0, 60)
    expect(changes).toEqual([true, false])
    expect(admitted()).toBe(1_000)
  })

  it('refuses cheap requests only when it is four times as late', () => {
    enter(40)
    tick(TARGET_MS + 5, 4)
    expect(load.refuses('cheap')).toBe(false)
    tick(TARGET_MS * 4 + 1)
    expect(load.refuses('cheap')).toBe(true)
    expect(load.refused).toEqual({ costly: 0, cheap: 1 })
  })

  it('refuses nothing if the operator has turned it off', () => {
    load = open({ maxLoopDelayMs: 0 })
    tick(500, 50)
    expect(admitted()).toBe(1_000)
  })
})

describe('a limit on requests in flight', () => {
  it('refuses costly requests beyond it, cheap ones beyond twice as many, and is over at once', () => {
    load = open({ maxInFlight: 10 })
    expect(admitted()).toBe(10)
    load.enter()
    expect(load.refuses('cheap')).toBe(false)
    enter(10)
    expect(load.refuses('cheap')).toBe(true)
    leave(11)
    expect(load.isOverloaded).toBe(false)
  })
})
