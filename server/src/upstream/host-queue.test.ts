import { describe, expect, it } from 'vitest'
import { createFairQueue } from './bulkhead.ts'

const patient = new AbortController().signal

function aJob() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let hasBegun = false
  return {
    work: () => {
      hasBegun = true
      return promise
    },
    hasBegun: () => hasBegun,
    end: () => resolve('done'),
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a queue for each owner', () => {
  it('admits as many jobs as may run concurrently, and the next in order as others end', async () => {
    const queue = createFairQueue({ maxActive: 2, maxWaiting: 10 })
    const jobs = Array.from({ length: 4 }, aJob)
    const outcomes = jobs.map(({ work }) => queue.run('a.example', patient, work))
    await settled()
    expect(jobs.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false])
    jobs[1]?.end()
    await settled()
    expect(jobs.map(({ hasBegun }) => hasBegun())).toEqual([true, true, true, false])
    for (const { end } of jobs) end()
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('a host that hangs holds up no other', async () => {
    const queue = createFairQueue({ maxActive: 1, maxWaiting: 1 })
    void queue.run('slow.example', patient, aJob().work)
    expect(await queue.run('quick.example', patient, async () => 'done')).toBe('done')
  })

  it('a full queue refuses immediately', async () => {
    const queue = createFairQueue({ maxActive: 1, maxWaiting: 1 })
    for (let i = 0; i < 2; i++) void queue.run('a.example', patient, aJob().work)
    await expect(queue.run('a.example', patient, aJob().work)).rejects.toMatchObject({ kind: 'busy' })
  })

  it('a job that has waited too long leaves the queue, and its place goes to the next', async () => {
    const queue = createFairQueue({ maxActive: 1, maxWaiting: 5 })
    const [first, late, next] = [aJob(), aJob(), aJob()]
    void queue.run('a.example', patient, first.work)
    const impatient = new AbortController()
    const tooLate = queue.run('a.example', impatient.signal, late.work)
    const outcome = queue.run('a.example', patient, next.work)
    impatient.abort()
    await expect(tooLate).rejects.toMatchObject({ kind: 'timeout' })
    first.end()
    next.end()
    expect(await outcome).toBe('done')
    expect(late.hasBegun()).toBe(false)
  })

  it('a job that fails frees its place like any other', async () => {
    const queue = createFairQueue({ maxActive: 1, maxWaiting: 1 })
    await expect(queue.run('a.example', patient, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await queue.run('a.example', patient, async () => 'done')).toBe('done')
  })
})
