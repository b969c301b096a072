// Searches that are watched, in one process and without Redis: each outcome is told at once, and whoever leaves takes
// along only what nobody else waits for.
import { describe, expect, it, vi } from 'vitest'
import { pass, simulateTime, wait } from '../../test/support/simulated-time.ts'
import { aProvider, type ImagePage, log, newBase, saying, within } from './response-cache.test-stage.ts'
import { createResponseCache } from './response-cache.ts'
import type { ResponseLoader } from './response-loader.ts'

simulateTime()

const open = () => createResponseCache({ shared: undefined, clock: Date.now, maxAgeSeconds: 3_600, log })

/** A search's watch over one engine. */
function watcher() {
  const told: string[] = []
  const stop = vi.fn<() => void>()
  let leave: () => void = () => undefined
  const watch: NonNullable<ResponseLoader<ImagePage>['watch']> = {
    onOutcome: (outcome) => void told.push(saying(outcome)),
    onWait: (left) => {
      leave = left
    },
    stop,
  }
  return { told, stop, watch, leave: () => leave() }
}

describe('a watched search', () => {
  it('is told of each engine as soon as it has answered or failed', async () => {
    const cache = open()
    const [quick, slow] = [watcher(), watcher()]
    const asks = [
      aProvider(() => wait(10)).ask({ watch: quick.watch }),
      aProvider(() => wait(500)).ask({ slug: 'commons', watch: slow.watch }),
    ]
    const searching = cache.obtain(newBase(), asks, within(1_000))
    await pass(20)
    expect([quick.told, slow.told]).toEqual([['call-1'], []])
    await pass(500)
    expect((await searching).map(saying)).toEqual(['call-1', 'call-1'])
    expect(slow.told).toEqual(['call-1'])
  })

  it('is told of what is in memory, too', async () => {
    const cache = open()
    const base = newBase()
    const { ask } = aProvider()
    await cache.obtain(base, [ask()], within(1_000))
    const { told, watch } = watcher()
    await cache.obtain(base, [ask({ watch })], within(1_000))
    expect(told).toEqual(['call-1'])
  })
})

describe('a search that is left', () => {
  it('stops its call if nobody else waits, and remembers no failure', async () => {
    const cache = open()
    const base = newBase()
    const { ask, calls } = aProvider(() => wait(500))
    const left = watcher()
    const searching = cache.obtain(base, [ask({ watch: left.watch })], within(1_000))
    await pass(10)
    left.leave()
    expect((await searching).map(saying)).toEqual(['busy'])
    expect(left.stop).toHaveBeenCalledOnce()
    const again = cache.obtain(base, [ask()], within(1_000))
    await pass(600)
    expect((await again).map(saying)).toEqual(['call-2'])
    expect(calls).toEqual(['search', 'search'])
  })

  it('leaves the call to another search that waits for the same, until that leaves as well', async () => {
    const cache = open()
    const base = newBase()
    const { ask, calls } = aProvider(() => wait(500))
    const [first, second] = [watcher(), watcher()]
    const [leading, joining, plain] = [
      cache.obtain(base, [ask({ watch: first.watch })], within(1_000)),
      cache.obtain(base, [ask({ watch: second.watch })], within(1_000)),
      cache.obtain(base, [ask()], within(1_000)),
    ]
    await pass(10)
    first.leave()
    second.leave()
    expect([first.stop, second.stop].map((stop) => stop.mock.calls.length)).toEqual([0, 0])
    await pass(500)
    expect((await plain).map(saying)).toEqual(['call-1'])
    await Promise.all([leading, joining])
    expect(calls).toEqual(['search'])
  })

  it('stops the call when the last of several leaves', async () => {
    const cache = open()
    const base = newBase()
    const { ask } = aProvider(() => wait(500))
    const [first, second] = [watcher(), watcher()]
    const searches = [first, second].map(({ watch }) => cache.obtain(base, [ask({ watch })], within(1_000)))
    await pass(10)
    first.leave()
    expect(first.stop).not.toHaveBeenCalled()
    second.leave()
    expect(first.stop).toHaveBeenCalledOnce()
    expect((await Promise.all(searches)).flat().map(saying)).toEqual(['busy', 'busy'])
  })

  it('leaves a refresh alone: it was started for everyone', async () => {
    let now = 1_000_000
    const cache = createResponseCache({ shared: undefined, clock: () => now, maxAgeSeconds: 3_600, log })
    const base = newBase()
    const { ask, calls } = aProvider((call) => (call === 1 ? Promise.resolve() : wait(100)))
    await cache.obtain(base, [ask()], within(1_000))
    now += 40_000
    const { watch, leave, stop } = watcher()
    await cache.obtain(base, [ask({ watch })], within(1_000))
    leave()
    await pass(200)
    expect(stop).not.toHaveBeenCalled()
    expect(calls).toEqual(['search', 'refresh'])
    expect((await cache.obtain(base, [ask()], within(1_000))).map(saying)).toEqual(['call-2'])
  })

  it('stops a call whose reply must not be cached: it is nobody else’s', async () => {
    const { watch, leave, stop } = watcher()
    const { ask } = aProvider(() => wait(100))
    const searching = open().obtain(newBase(), [ask({ cacheSeconds: 0, watch })], within(1_000))
    await pass(10)
    leave()
    expect(stop).toHaveBeenCalledOnce()
    await pass(200)
    await searching
  })
})
