// One node without Redis; `prober.service.test.ts` has several nodes that share one.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { pass, passUntilDone, simulateTime, wait } from '../../../engines/test/simulated-time.ts'
import { createLog } from '../log.ts'
import { createNodeLease } from '../redis/node-lease.ts'
import { startProber } from './prober.ts'

simulateTime()

const PERIOD_MS = 40

/** A node whose checks do as they are told. */
function startAlone(check: () => Promise<void>) {
  const recorded: (string | undefined)[] = []
  const probes = [{ provider: 'maps', group: 'maps', check }]
  const stop = startProber({
    probes: () => probes,
    lease: createNodeLease(undefined, 'alone'),
    record: ({ provider }, error) => recorded.push(error ? `${provider} ${error.kind}` : provider),
    everyMs: PERIOD_MS,
    clock: Date.now,
    log: createLog('silent'),
  })
  return { recorded, stop }
}

describe('the prober', () => {
  it('records what a check finds, and a bug in a check as a broken reply', async () => {
    const results = [undefined, new UpstreamError('timeout', 'too slow'), new TypeError('a bug')]
    const { recorded, stop } = startAlone(async () => {
      const result = results.shift()
      if (result) throw result
    })
    await pass(PERIOD_MS * 4)
    await stop()
    expect(recorded.slice(0, 4)).toEqual(['maps', 'maps timeout', 'maps malformed', 'maps'])
  })

  it('does not start a check again while it is under way, and waits for it when it stops', async () => {
    let started = 0
    const { recorded, stop } = startAlone(async () => {
      started++
      await wait(200)
    })
    await pass(150)
    expect(started).toBe(1)
    await passUntilDone(stop())
    expect(recorded).toEqual(['maps'])
  })
})
