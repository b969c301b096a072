import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failed, healthOf, type Nodes, type Stage, startStage, stateOf } from './provider-status.test-harness.ts'
import type { ProviderStatusBoard } from './provider-status.ts'

let stage: Stage
let nodes: Nodes
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())
beforeEach(() => {
  nodes = stage.openNodes()
})

/** Observations further apart than successes are held back. */
function recordLater(board: ProviderStatusBoard, error: UpstreamError | undefined): void {
  stage.time.now += 2_500
  board.record(nodes.web, error)
}

describe('the board of several nodes', () => {
  it('failures that different nodes see count together, and every node tells the same', async () => {
    const [one, two, three] = nodes.boards
    recordLater(one, undefined)
    await expect.poll(() => stateOf(three)).toBe('up')
    recordLater(two, failed())
    await expect.poll(async () => (await healthOf(three))?.consecutiveFailures).toBe(1)
    expect(await stateOf(one)).toBe('up')
    recordLater(three, failed('unreachable'))
    await expect.poll(() => stateOf(one)).toBe('down')
    expect(await healthOf(two)).toEqual(await healthOf(one))
    recordLater(two, undefined)
    await expect.poll(() => stateOf(one)).toBe('up')
    expect(await nodes.changes()).toEqual(['unknown up ok', 'up down unreachable', 'down up ok'])
  })

  it('the history tells a server error from a broken connection', async () => {
    const [board] = nodes.boards
    recordLater(board, new UpstreamError('unreachable', 'out of order', { hasReplied: true }))
    await expect.poll(() => stateOf(board)).toBe('down')
    expect((await healthOf(board))?.lastError).toBe('The provider responded with a server error.')
    expect(await nodes.changes()).toEqual(['unknown down serverError'])
  })

  it('every transition is written exactly once, however many nodes see it at once', async () => {
    const { boards, web } = nodes
    recordLater(boards[0], undefined)
    await expect.poll(() => stateOf(boards[0])).toBe('up')
    for (let round = 0; round < 3; round++) {
      stage.time.now += 2_500
      for (let i = 0; i < 100; i++) for (const board of boards) board.record(web, failed())
      await expect.poll(() => stateOf(boards[0])).toBe('down')
      stage.time.now += 2_500
      for (let i = 0; i < 100; i++) for (const board of boards) board.record(web, undefined)
      await expect.poll(() => stateOf(boards[0])).toBe('up')
    }
    const round = ['up down timeout', 'down up ok']
    expect(await nodes.changes()).toEqual(['unknown up ok', ...round, ...round, ...round])
  })

  it("observations of a provider that isn't listed are ignored", async () => {
    const [one] = nodes.boards
    one.record({ provider: 'nobody', group: 'web' }, failed())
    expect((await one.list()).map(({ health }) => health)).toEqual([undefined, undefined])
  })
})

describe('what a node reports to the others', () => {
  it('successes of a healthy provider are reported every two seconds, failures and recoveries immediately', async () => {
    const [one, two] = nodes.boards
    const start = stage.time.now
    const checkedAfter = async (ms: number, error?: UpstreamError) => {
      stage.time.now = start + ms
      one.record(nodes.web, error)
      await one.close()
      return ((await healthOf(two))?.checkedAt ?? 0) - start
    }
    expect(await checkedAfter(0)).toBe(0)
    expect(await checkedAfter(1_999)).toBe(0)
    expect(await checkedAfter(2_000)).toBe(2_000)
    expect(await checkedAfter(2_001, failed())).toBe(2_001)
    expect(await checkedAfter(2_002)).toBe(2_002)
    expect(await checkedAfter(2_003)).toBe(2_002)
    expect(await checkedAfter(2_004, failed('busy'))).toBe(2_002)
    expect(await stateOf(two)).toBe('up')
  })

  it('a failure and a success right after it are reported in that order', async () => {
    const [one] = nodes.boards
    one.record(nodes.web, failed())
    one.record(nodes.web, undefined)
    expect(await stateOf(one)).toBe('up')
    expect(await nodes.changes()).toEqual(['unknown down timeout', 'down up ok'])
  })

  it('a thousand concurrent successes are reported once', async () => {
    const [one] = nodes.boards
    // The script writes once for each observation.
    const writes = async () =>
      Number(/cmdstat_hset:calls=(\d+)/.exec(await stage.admin().info('commandstats'))?.[1] ?? 0)
    const before = await writes()
    for (let i = 0; i < 1_000; i++) one.record(nodes.web, undefined)
    await one.close()
    expect((await writes()) - before).toBe(1)
  })
})
