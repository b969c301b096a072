import { describe, expect, it } from 'vitest'
import { createBulkhead, createFairQueue } from './bulkhead.ts'

it('a bulkhead admits as many calls as it holds, and one more for each that leaves', () => {
  const bulkhead = createBulkhead(2)
  const enter = (times: number) => Array.from({ length: times }, () => bulkhead.enter())
  expect(enter(3)).toEqual([true, true, false])
  bulkhead.leave()
  expect(enter(2)).toEqual([true, false])
})

describe('a fair queue', () => {
  const patient = new AbortController().signal
  const createQueue = () => createFairQueue({ maxActive: 1, maxWaiting: 10 })

  it('never starts work whose time is over', async () => {
    const run = createQueue().run('host', AbortSignal.abort(), async () => 'started')
    await expect(run).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('does not start work whose time ends in the moment in which its slot becomes free', async () => {
    const queue = createQueue()
    const first = Promise.withResolvers<void>()
    const ending = new AbortController()
    const running = queue.run('host', patient, () => first.promise)
    const waiting = queue.run('host', ending.signal, async () => 'started')
    first.resolve()
    await running
    ending.abort()
    await expect(waiting).rejects.toMatchObject({ kind: 'timeout' })
    expect(await queue.run('host', patient, async () => 'the slot was passed on')).toBe('the slot was passed on')
  })
})
