import { describe, expect, it } from 'vitest'
import { pass, simulateTime } from '../test/simulated-time.ts'
import { createDeadline } from './deadline.ts'

/** A timer that rings when told to. */
const handTimer = () => {
  const timer: { ring: () => void; ms: number; stops: number } = { ring: () => undefined, ms: 0, stops: 0 }
  const start = (callback: () => void, ms: number) => {
    timer.ring = callback
    timer.ms = ms
    return () => {
      timer.stops += 1
    }
  }
  return { timer, start }
}

describe('the deadline of a search', () => {
  it('aborts every registered call once when the time is up', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    const aborted: string[] = []
    deadline.onExpire(() => aborted.push('a'))
    deadline.onExpire(() => aborted.push('b'))
    expect(timer.ms).toBe(700)
    expect(deadline.signalled).toBe(false)

    timer.ring()
    timer.ring()
    deadline.cancel()
    expect(aborted).toEqual(['a', 'b'])
    expect(deadline.signalled).toBe(true)
  })

  it('leaves a call alone that took its abort back', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    const aborted: string[] = []
    const takeBack = deadline.onExpire(() => aborted.push('done'))
    deadline.onExpire(() => aborted.push('running'))
    takeBack()
    timer.ring()
    expect(aborted).toEqual(['running'])
  })

  it('may have aborts taken back while it is aborting', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    const aborted: string[] = []
    const takeBack = deadline.onExpire(() => {
      aborted.push('a')
      takeBack()
    })
    deadline.onExpire(() => aborted.push('b'))
    timer.ring()
    expect(aborted).toEqual(['a', 'b'])
  })

  it('aborts immediately if registered after the deadline', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    timer.ring()
    let isAborted = false
    deadline.onExpire(() => {
      isAborted = true
    })
    expect(isAborted).toBe(true)
  })

  it('stops its timer and aborts pending calls when the search is over', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    let isAborted = false
    deadline.onExpire(() => {
      isAborted = true
    })
    deadline.cancel()
    expect({ stops: timer.stops, isAborted, signalled: deadline.signalled }).toEqual({
      stops: 1,
      isAborted: true,
      signalled: true,
    })
  })

  it('keeps no timer of the process after it is cancelled', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const deadline = createDeadline(60_000)
    expect(timers()).toBe(before + 1)
    deadline.cancel()
    expect(timers()).toBe(before)
  })
})

describe('a deadline that is called off', () => {
  it('ends before its time, and says that it was not for want of time', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    const aborted: string[] = []
    deadline.onExpire(() => aborted.push('call'))
    deadline.callOff()
    deadline.callOff()
    expect(aborted).toEqual(['call'])
    expect([deadline.signalled, deadline.isCalledOff, deadline.remainingMs()]).toEqual([true, true, 0])
    expect(timer.stops).toBeGreaterThan(0)
  })

  it('after its time was not', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    timer.ring()
    deadline.callOff()
    expect([deadline.signalled, deadline.isCalledOff]).toEqual([true, false])
  })
})

describe('a deadline that is extended', () => {
  simulateTime()

  it('ends at the latest of its ends', async () => {
    const deadline = createDeadline(700)
    await pass(500)
    deadline.extend(100)
    deadline.extend(600)
    deadline.extend(300)
    expect(deadline.remainingMs()).toBe(600)
    await pass(590)
    expect(deadline.signalled).toBe(false)
    await pass(20)
    expect(deadline.signalled).toBe(true)
    deadline.extend(700)
    expect([deadline.signalled, deadline.remainingMs()]).toEqual([true, 0])
  })

  it('does not go on for ever', async () => {
    const deadline = createDeadline(700)
    for (let i = 0; i < 13; i += 1) {
      await pass(100)
      deadline.extend(700)
    }
    expect(deadline.remainingMs()).toBe(100)
    deadline.extend(5_000)
    expect(deadline.remainingMs()).toBe(5_000)
  })
})
