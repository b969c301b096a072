import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from './keys/access.test-stage.ts'
import { repeat } from './repeat.ts'

it('repeated work begins at once, never overlaps, and is over once stopped', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const stop = repeat({
    everyMs: 1,
    random: Math.random,
    work: async () => {
      runs++
      most = Math.max(most, ++running)
      await sleep(10)
      running--
    },
  })
  expect(runs).toBe(1)
  await until(() => runs >= 5)
  await stop()
  expect(running).toBe(0)
  const ended = runs
  await sleep(30)
  expect(runs).toBe(ended)
  expect(most).toBe(1)
})
