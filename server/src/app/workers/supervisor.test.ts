import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../log.ts'
import { Supervisor, type WorkerProcess } from './supervisor.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

/** A process that does only what a test says. */
class PlayedProcess implements WorkerProcess {
  readonly number: number
  readonly received: ToWorker[] = []
  isAlive = true
  #hear: (message: FromWorker) => void = () => undefined
  #exit: (code: number | null, signal: string | null) => void = () => undefined

  constructor(number: number) {
    this.number = number
  }

  send(message: ToWorker): void {
    this.received.push(message)
  }

  kill(): void {
    void this.end(null, 'SIGKILL')
  }

  onMessage(listener: (message: FromWorker) => void): void {
    this.#hear = listener
  }

  onExit(listener: (code: number | null, signal: string | null) => void): void {
    this.#exit = listener
  }

  async say(message: FromWorker): Promise<void> {
    this.#hear(message)
    await settle()
  }

  async end(code: number | null, signal: string | null = null): Promise<void> {
    if (!this.isAlive) return
    this.isAlive = false
    this.#exit(code, signal)
    await settle()
  }

  kinds(): string[] {
    return this.received.map(({ kind }) => kind)
  }
}

const settle = () => vi.advanceTimersByTimeAsync(1)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open(workers: number) {
  const forked: PlayedProcess[] = []
  const lines: string[] = []
  const supervisor = new Supervisor({
    workers,
    fork(number) {
      const process = new PlayedProcess(number)
      forked.push(process)
      return process
    },
    clock: () => performance.now(),
    log: createLog('info', { write: (line) => void lines.push(line) }),
  })
  const alive = () => forked.filter(({ isAlive }) => isAlive)
  const at = (place: number): PlayedProcess => {
    const process = forked[place]
    if (!process) throw new Error(`only ${forked.length} processes were started`)
    return process
  }
  return { supervisor, forked, alive, at, logged: () => lines.join('') }
}

/** Every worker that there is, and is not ready, gets ready. */
async function openReady(workers: number) {
  const stage = open(workers)
  const code = stage.supervisor.run()
  await stage.at(0).say({ kind: 'ready' })
  for (const process of stage.forked.slice(1)) await process.say({ kind: 'ready' })
  return { ...stage, code }
}

describe('several workers', () => {
  it('start after the first is ready, which alone tells the operator where they listen', async () => {
    const { supervisor, forked, at } = open(3)
    void supervisor.run()
    await settle()
    expect(forked.map(({ number }) => number)).toEqual([1])
    expect(supervisor.health().isReady).toBe(false)
    await at(0).say({ kind: 'ready' })
    expect(forked.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(forked.map((process) => process.kinds())).toEqual([['announce'], [], []])
    expect(supervisor.health().isReady).toBe(true)
  })

  it('do not start if the first cannot', async () => {
    const { supervisor, forked, at } = open(3)
    const code = supervisor.run()
    await at(0).end(1)
    expect(await code).toBe(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(forked).toHaveLength(1)
  })

  it('one that died is replaced at once, and later each time while they keep dying', async () => {
    const { forked, at } = await openReady(2)
    await at(1).end(null, 'SIGKILL')
    expect(forked.map(({ number }) => number)).toEqual([1, 2, 2])
    await at(2).say({ kind: 'ready' })
    await at(2).end(1)
    expect(forked).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(200)
    expect(forked).toHaveLength(4)
    await at(3).say({ kind: 'ready' })
    await at(3).end(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(forked).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(200)
    expect(forked).toHaveLength(5)
    // What happened long ago says nothing about now.
    await at(4).say({ kind: 'ready' })
    await vi.advanceTimersByTimeAsync(120_000)
    await at(4).end(1)
    expect(forked).toHaveLength(6)
  })

  it('are given up if five in a row end before they are ready; the others finish what they do', async () => {
    const { forked, at, code, logged } = await openReady(2)
    await at(1).end(1)
    for (let place = 2; place <= 5; place++) {
      await vi.advanceTimersByTimeAsync(10_000)
      await at(place).end(1)
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(forked).toHaveLength(7)
    await at(6).end(1)
    expect(logged()).toContain('giving up')
    expect(at(0).kinds()).toEqual(['announce', 'stop'])
    await at(0).end(0)
    expect(await code).toBe(1)
  })

  it('one that is stuck is killed and replaced', async () => {
    const { supervisor, forked, at } = await openReady(2)
    const health: FromWorker = { kind: 'health', state: { isReady: true, missing: [] } }
    for (let second = 0; second < 40; second++) {
      supervisor.tick()
      await at(0).say(health)
    }
    await settle()
    expect([at(0).isAlive, at(1).isAlive]).toEqual([true, false])
    expect(forked.map(({ number }) => number)).toEqual([1, 2, 2])
  })
})

describe('what stops the workers', () => {
  it('is handed down, and the parent ends when all have', async () => {
    const { supervisor, at, code } = await openReady(2)
    supervisor.stop('SIGTERM')
    expect(supervisor.health().isReady).toBe(false)
    expect([at(0).received.at(-1), at(1).received.at(-1)]).toEqual([
      { kind: 'stop', signal: 'SIGTERM' },
      { kind: 'stop', signal: 'SIGTERM' },
    ])
    const isOver = vi.fn()
    void code.then(isOver)
    await at(0).end(0)
    expect(isOver).not.toHaveBeenCalled()
    await at(1).end(0)
    expect(await code).toBe(0)
  })

  it('ends one that is still starting', async () => {
    const { supervisor, at } = open(2)
    const code = supervisor.run()
    await settle()
    supervisor.stop('SIGINT')
    expect(at(0).isAlive).toBe(false)
    expect(await code).toBe(0)
  })

  it('if repeated, ends them at once', async () => {
    const { supervisor, alive, code } = await openReady(2)
    supervisor.stop('SIGTERM')
    supervisor.kill()
    expect(alive()).toEqual([])
    expect(await code).toBe(130)
  })
})

describe('replacing all workers', () => {
  it('goes one after another, each only when another is ready in its place', async () => {
    const { supervisor, forked, at } = await openReady(2)
    const done = supervisor.replaceAll()
    await settle()
    expect(forked.map(({ number }) => number)).toEqual([1, 2, 1])
    expect(at(0).kinds()).toEqual(['announce'])
    await at(2).say({ kind: 'ready' })
    expect([at(0).kinds(), at(1).kinds()]).toEqual([['announce', 'retire'], []])
    expect(forked).toHaveLength(3)
    await at(0).end(0)
    expect(forked.map(({ number }) => number)).toEqual([1, 2, 1, 2])
    await at(3).say({ kind: 'ready' })
    await at(1).end(0)
    await done
    expect(forked.map(({ isAlive }) => isAlive)).toEqual([false, false, true, true])
    expect(forked).toHaveLength(4)
  })

  it('stops at a new worker that does not start; the old ones go on', async () => {
    const { supervisor, forked, at, logged } = await openReady(2)
    const done = supervisor.replaceAll()
    await settle()
    await at(2).end(1)
    await done
    await vi.advanceTimersByTimeAsync(60_000)
    expect(forked.map(({ isAlive }) => isAlive)).toEqual([true, true, false])
    expect(logged()).toContain('the new worker did not start')
  })

  it('starts no second worker for one that dies while its successor starts', async () => {
    const { supervisor, forked, at } = await openReady(2)
    void supervisor.replaceAll()
    await settle()
    await at(0).end(1)
    await at(2).say({ kind: 'ready' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(forked.map(({ number }) => number)).toEqual([1, 2, 1, 2])
  })

  it('asked for meanwhile, happens once more', async () => {
    const { supervisor, forked, at } = await openReady(1)
    const done = supervisor.replaceAll()
    void supervisor.replaceAll()
    void supervisor.replaceAll()
    await settle()
    for (let place = 0; place < 2; place++) {
      await at(place + 1).say({ kind: 'ready' })
      await at(place).end(0)
    }
    await done
    expect(forked).toHaveLength(3)
  })
})

describe('what the workers say', () => {
  const counted = (count: number) => `# TYPE calls_total counter\ncalls_total ${count}\n`

  it('health is degraded if one has to do without something', async () => {
    const { supervisor, at } = await openReady(2)
    const limits = { state: 'away', reason: 'OOM' } as const
    await at(0).say({
      kind: 'health',
      state: { isReady: true, missing: [], redis: { limits: { state: 'connected' } } },
    })
    await at(1).say({ kind: 'health', state: { isReady: true, missing: ['Redis'], redis: { limits } } })
    expect(supervisor.health()).toEqual({ isReady: true, missing: ['Redis'], redis: { limits } })
  })

  it('metrics are added up, with those of workers that have ended', async () => {
    const { supervisor, at } = await openReady(2)
    const answer = async (place: number, count: number) => {
      const question = at(place).received.at(-1)
      if (question?.kind !== 'metrics') throw new Error('it was not asked')
      await at(place).say({ kind: 'metrics', id: question.id, text: counted(count) })
    }
    const first = supervisor.metrics()
    await answer(0, 10)
    await answer(1, 20)
    expect(await first).toContain('\ncalls_total 30\n')
    await at(1).end(1)
    // The one in its place is not ready, and not asked.
    const second = supervisor.metrics()
    await answer(0, 11)
    const text = await second
    expect(text).toContain('\ncalls_total 31\n')
    expect(text).toContain('\nbowerbird_workers 1\n')
    expect(text).toContain('\nbowerbird_worker_deaths_total 1\n')
  })

  it('a worker that does not answer costs two seconds, and its last metrics count', async () => {
    const { supervisor, at } = await openReady(1)
    await at(0).say({ kind: 'metrics', text: counted(7) })
    const text = supervisor.metrics()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await text).toContain('calls_total 7\n')
  })

  it('a worker gets the metrics of all when it asks for them', async () => {
    const { at } = await openReady(2)
    await at(0).say({ kind: 'totals', id: 5 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(at(0).received.at(-1)).toMatchObject({ kind: 'totals', id: 5 })
  })
})
