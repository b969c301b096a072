// What a list of 200,000 hosts costs: memory, the longest time that it keeps the event loop while it is loaded, and what it
// adds to a search that asks its engines. CPU time is measured, because other programs would count in any other.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { WebHit } from '@bowerbird/engines/engine.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileRules } from '../../src/rules/compile-rules.ts'
import { parseRules } from '../../src/rules/parse-rules.ts'
import type { RuleSet } from '../../src/rules/site-rules.ts'
import { applyRules } from '../../src/search/apply-rules.ts'
import { completedOf, mergeRankings, type Ranking } from '../../src/search/merge.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { type Cluster, startCluster, UNLIMITED } from '../support/cluster.ts'
import type { FirstRuleLoad } from '../support/first-rule-load.ts'
import { cpuSecondsOf } from '../support/process-usage.ts'
import { createRandom } from '../support/random.ts'
import { recordFigures } from '../support/record-figures.ts'

const HOSTS = 200_000
const MOST_MEGABYTES = 25
const MOST_SLICE_MS = 20
const MOST_COST = 1.02
/** The best of these counts: another process may slow one down, none can speed one up. */
const ROUNDS = 3

const random = createRandom(27)
const label = () =>
  random
    .next()
    .toString(36)
    .slice(2, 2 + random.between(4, 12))
const hosts = Array.from({ length: HOSTS }, () => `${label()}.${label()}.example`)

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

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

  describe('in a search', () => {
    let cluster: Cluster
    let set: RuleSet
    beforeAll(async () => {
      const { rules } = await parseRules(hosts.join('\n'), 'block')
      set = await compileRules([{ owner: 'instance', rules }])
      cluster = await startCluster({ nodes: 1, settings: { ...WITHOUT_RATE_LIMIT, LOG_LEVEL: 'warn' } })
    })
    afterAll(() => cluster?.close())

    /** CPU time of the server for a search that asks its three engines. */
    async function searchMs(searches: number): Promise<number> {
      const { url, process: server } = cluster.node(0)
      const headers = { authorization: `Api-Key ${await cluster.createKey(UNLIMITED)}` }
      const search = async (text: string) => {
        const response = await fetch(`${url}/api/v1/web/?q=${text}`, { headers })
        expect(response.headers.get('cache-status')).not.toBe('bowerbird; hit')
        await response.arrayBuffer()
      }
      for (let number = 0; number < searches; number++) await search(`warm${number}`)
      const before = cpuSecondsOf(server.pid)
      for (let number = 0; number < searches; number++) await search(`fresh${number}`)
      return ((cpuSecondsOf(server.pid) - before) * 1_000) / searches
    }

    it('costs at most 2 %', async () => {
      expect(set.verdictOf(`https://www.${hosts[HOSTS - 1]}/`)?.action).toBe('block')
      const rankings: Ranking<WebHit>[] = ['engine_a', 'engine_b', 'engine_c'].map((slot) => ({
        slot,
        weight: 1,
        hits: Array.from({ length: 10 }, () => ({
          title: 'Title',
          url: `https://www.${hosts[random.between(0, 40)]}.org/${label()}?page=${label()}`,
          description: 'Text',
          faviconUrl: `https://pictures.example/${label()}.png`,
          publishedAt: undefined,
          sitelinks: [{ title: 'More', url: `https://${label()}.example/more` }],
        })),
      }))
      const merged = mergeRankings(rankings, completedOf.web)
      const applyMany = (times: number) => {
        const before = cpuMs()
        for (let time = 0; time < times; time++) expectSame(applyRules(merged, rankings, { rules: set }).results)
        return (cpuMs() - before) / times
      }
      const expectSame = (results: unknown) => {
        if (results !== merged) throw new Error('No rule is about these results.')
      }
      applyMany(2_000)
      const applyMs = Math.min(...Array.from({ length: 5 }, () => applyMany(2_000)))
      const uncachedMs = await searchMs(300)
      const cost = 1 + applyMs / uncachedMs
      recordFigures('site rules in a search', {
        applyMicroseconds: applyMs * 1_000,
        uncachedMs,
        percent: (cost - 1) * 100,
      })
      expect(cost).toBeLessThan(MOST_COST)
    })
  })
})
