// What a list of 200,000 hosts costs: memory, and the longest CPU time that it keeps the event loop while it is loaded.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { FirstRuleLoad } from '../support/first-rule-load.ts'
import { createRandom } from '../support/random.ts'
import { recordFigures } from '../support/record-figures.ts'

const HOSTS = 200_000
const MOST_MEGABYTES = 25
const MOST_SLICE_MS = 20
/** The best of these counts: another process may slow one down, none can speed one up. */
const ROUNDS = 3

const random = createRandom(27)
const label = () =>
  random
    .next()
    .toString(36)
    .slice(2, 2 + random.between(4, 12))
const hosts = Array.from({ length: HOSTS }, () => `${label()}.${label()}.example`)

/** In a thread of its own: nothing is compiled, cached or collected yet, as in an instance that has just started. */
async function firstLoad(text: string): Promise<FirstRuleLoad> {
  const thread = new Worker(new URL('../support/first-rule-load.ts', import.meta.url), { workerData: text })
  const [load] = await once(thread, 'message')
  await thread.terminate()
  return load
}

describe('a list of 200,000 hosts', () => {
  it.each<[string, (host: string) => string]>([
    ['of hosts', (host) => host],
    ['of uBlacklist', (host) => `*://*.${host}/*`],
    ['as a hosts file', (host) => `0.0.0.0 ${host}`],
    ['as a filter list', (host) => `||${host}^`],
  ])(
    '%s takes at most 25 MB, and its first load never keeps the event loop for more than 20 ms',
    async (form, lineOf) => {
      const text = hosts.map(lineOf).join('\n')
      const loads: FirstRuleLoad[] = []
      for (let round = 0; round < ROUNDS; round++) loads.push(await firstLoad(text))
      const megabytes = Math.max(...loads.map((load) => load.megabytes))
      const longestMs = Math.min(...loads.map((load) => load.longestMs))
      recordFigures(`site rules ${form}`, { megabytes, longestMs })
      expect(loads.map(({ size }) => size)).toEqual(Array(ROUNDS).fill(HOSTS))
      expect(megabytes).toBeLessThan(MOST_MEGABYTES)
      expect(longestMs).toBeLessThan(MOST_SLICE_MS)
    },
  )
})
