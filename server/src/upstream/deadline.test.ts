import { describe, expect, it } from 'vitest'
import { createDeadline, withCallOff } from './deadline.ts'

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

  it('aborts at once what is registered too late', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    timer.ring()
    let isAborted = false
    deadline.onExpire(() => {
      isAborted = true
    })
    expect(isAborted).toBe(true)
  })

  it('stops its timer and aborts what is left when the search is over', () => {
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

describe('a call that can be called off on its own', () => {
  it('ends alone, and says that it was not for want of time', () => {
    const deadline = createDeadline(700, handTimer().start)
    const [one, other] = [withCallOff(deadline), withCallOff(deadline)]
    const aborted: string[] = []
    one.onExpire(() => aborted.push('one'))
    other.onExpire(() => aborted.push('other'))
    one.callOff()
    one.callOff()
    expect(aborted).toEqual(['one'])
    expect([one.signalled, one.isCalledOff, one.remainingMs()]).toEqual([true, true, 0])
    expect([other.signalled, other.isCalledOff, deadline.signalled]).toEqual([false, false, false])
    deadline.cancel()
    expect(aborted).toEqual(['one', 'other'])
  })

  it('ends with the search, and cannot be called off after that', () => {
    const { timer, start } = handTimer()
    const deadline = createDeadline(700, start)
    const call = withCallOff(deadline)
    timer.ring()
    call.callOff()
    expect([call.signalled, call.isCalledOff]).toEqual([true, false])
    expect(withCallOff(deadline).signalled).toBe(true)
  })
})
