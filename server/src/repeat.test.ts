import { expect, it } from 'vitest'
import { pass, passUntilDone, simulateTime, wait } from '../../engines/test/simulated-time.ts'
import { repeat } from './repeat.ts'

simulateTime()

it('repeated work starts immediately, never overlaps, and ends when stopped', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const stop = repeat({
    everyMs: 1,
    random: Math.random,
    work: async () => {
      runs++
      most = Math.max(most, ++running)
      await wait(10)
      running--
    },
  })
  expect(runs).toBe(1)
  await pass(60)
  expect(runs).toBeGreaterThanOrEqual(5)
  await passUntilDone(stop())
  expect(running).toBe(0)
  const ended = runs
  await pass(30)
  expect(runs).toBe(ended)
  expect(most).toBe(1)
})
