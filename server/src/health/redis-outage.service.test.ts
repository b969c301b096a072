// Redis goes and comes back, without its data: nobody waits for it, and nothing is made up.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failed, healthOf, type Nodes, type Stage, startStage, stateOf } from './provider-status.test-harness.ts'

let stage: Stage
let nodes: Nodes
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())
beforeEach(() => {
  nodes = stage.openNodes()
})

const untilAway = (isAway: boolean) =>
  expect.poll(() => stage.links.every((redis) => redis.isAway() === isAway), { timeout: 10_000 }).toBe(true)

async function stopRedis(): Promise<void> {
  await stage.redis.stop()
  await untilAway(true)
}

async function startRedis(): Promise<void> {
  await stage.redis.start()
  await untilAway(false)
}

describe('while Redis is away', () => {
  it('a node judges by what it sees itself, and the others hear of it when Redis is back', async () => {
    const [one, two] = nodes.boards
    one.record(nodes.web, undefined)
    two.record(nodes.web, undefined)
    await expect.poll(() => stateOf(two)).toBe('up')
    await stopRedis()
    stage.time.now += 100
    one.record(nodes.web, failed())
    one.record(nodes.web, failed('malformed'))
    await expect.poll(() => stateOf(one)).toBe('down')
    expect(await stateOf(two)).toBe('up')
    await startRedis()
    stage.time.now += 100
    one.record(nodes.web, failed())
    await expect.poll(() => stateOf(two)).toBe('down')
    expect(await healthOf(two)).toMatchObject({ consecutiveFailures: 3 })
    two.record(nodes.web, undefined)
    await expect.poll(() => stateOf(one)).toBe('up')
    expect(await nodes.changes()).toEqual(['unknown up ok', 'up down malformed', 'down up ok'])
  })

  it('a Redis that has lost its data is told what was known: one failure does not make a good provider down', async () => {
    const [one, two] = nodes.boards
    one.record(nodes.web, undefined)
    await expect.poll(() => stateOf(two)).toBe('up')
    await stopRedis()
    await startRedis()
    expect(await stateOf(one)).toBe('up')
    one.record(nodes.web, failed())
    await one.close()
    expect(await healthOf(two)).toMatchObject({ state: 'up', consecutiveFailures: 1 })
    expect(await nodes.changes()).toEqual(['unknown up ok'])
  })

  it('a Redis that does not answer holds up neither searches nor the list', async () => {
    const [one] = nodes.boards
    one.record(nodes.web, undefined)
    await expect.poll(() => stateOf(one)).toBe('up')
    stage.redis.freeze()
    try {
      for (let i = 0; i < 100; i++) one.record(nodes.web, failed())
      // Had it waited for Redis, it would wait until the thaw.
      expect(await stateOf(one)).toBe('down')
    } finally {
      stage.redis.thaw()
    }
    await untilAway(false)
    expect(await stateOf(one)).toBe('down')
    expect((await nodes.changes()).filter((change) => change.startsWith('up down'))).toHaveLength(1)
  })
})
