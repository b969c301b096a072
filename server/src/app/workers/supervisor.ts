// Keeps a number of workers running: starts them, replaces those that die or are stuck, replaces all of them one after
// another when asked to, hands down what stops an instance, and collects their health and metrics.
//
// The first worker starts alone. If it cannot, neither could the others, and the instance does not start: the worker
// has said why. Later, a worker that dies is replaced at once, or a little later each time (`restart-policy.ts`).
import type { Log } from '../../log.ts'
import type { HealthState } from '../health/readiness.ts'
import { MetricsTotals } from './merge-metrics.ts'
import { RestartPolicy } from './restart-policy.ts'
import type { FromWorker, StopSignal, ToWorker } from './worker-messages.ts'

/** A process, as much as the supervisor needs of it. */
export interface WorkerProcess {
  send: (message: ToWorker) => void
  kill: () => void
  onMessage: (listener: (message: FromWorker) => void) => void
  onExit: (listener: (code: number | null, signal: string | null) => void) => void
}

export interface SupervisorParts {
  workers: number
  fork: (number: number) => WorkerProcess
  clock: () => number
  log: Log
}

/** Like `/livez` on the admin port: a process that does nothing at all for so long is not busy but stuck. */
const STUCK_SECONDS = 30
/** A worker that is stuck does not keep metrics waiting: its last are taken. */
const METRICS_PATIENCE_MS = 2_000

/** As of a process that Ctrl-C has ended. */
const KILLED = 130

interface Member {
  number: number
  process: WorkerProcess
  isReady: boolean
  /** It was told to end, or has not proved itself yet: its end needs no other worker. */
  mayEnd: boolean
  /** Seconds since it was last heard of. */
  silentFor: number
  health: HealthState | undefined
  metrics: string
  /** Whether it was ever ready, once that is known. */
  started: PromiseWithResolvers<boolean>
  ended: PromiseWithResolvers<number>
}

export class Supervisor {
  readonly #parts: SupervisorParts
  readonly #policy: RestartPolicy
  readonly #totals = new MetricsTotals()
  /** All processes that there are; those of `#current` are meant to stay. */
  readonly #members = new Set<Member>()
  readonly #current = new Map<number, Member>()
  /** For metrics, by the number of the question. */
  readonly #waiting = new Map<number, () => void>()
  readonly #over = Promise.withResolvers<number>()
  #lastId = 0
  #deaths = 0
  #exitCode = 0
  #isStarted = false
  #isStopping = false
  /** The number of the worker that is about to be replaced. */
  #replacing: number | undefined
  #isReplacing = false
  #isReplacementDue = false

  constructor(parts: SupervisorParts) {
    this.#parts = parts
    this.#policy = new RestartPolicy(parts.clock)
  }

  /** Resolves when all workers have ended, with the exit code. */
  async run(): Promise<number> {
    const first = this.#start(1)
    if (!(await first.started.promise)) return this.#isStopping ? this.#exitCode : await first.ended.promise
    this.#isStarted = true
    first.process.send({ kind: 'announce' })
    for (let number = 2; number <= this.#parts.workers && !this.#isStopping; number++) this.#start(number)
    return await this.#over.promise
  }

  /** Once a second. */
  tick(): void {
    for (const member of this.#members) {
      if (!member.isReady || ++member.silentFor < STUCK_SECONDS) continue
      this.#parts.log.error({ worker: member.number }, 'a worker is stuck; killing it')
      member.silentFor = 0
      member.process.kill()
    }
  }

  stop(signal: StopSignal): void {
    this.#isStopping = true
    for (const member of this.#members) dismiss(member, { kind: 'stop', signal })
    this.#endWhenEmpty()
  }

  /** For whoever does not want to wait for `stop`. */
  kill(): void {
    this.#isStopping = true
    this.#exitCode = KILLED
    for (const { process } of this.#members) process.kill()
  }

  /** Puts a new worker in the place of each, one after another, and only when it is ready. */
  async replaceAll(): Promise<void> {
    this.#isReplacementDue = true
    if (this.#isReplacing) return
    this.#isReplacing = true
    while (this.#isReplacementDue && !this.#isStopping) {
      this.#isReplacementDue = false
      for (const number of [...this.#current.keys()].toSorted((one, other) => one - other)) {
        if (this.#isStopping || !(await this.#replace(number))) break
      }
    }
    this.#isReplacing = false
  }

  health(): HealthState {
    const serving = [...this.#current.values()].filter(({ isReady }) => isReady)
    const states = serving.flatMap(({ health }) => health ?? [])
    return {
      isReady: serving.length > 0 && !this.#isStopping,
      missing: [...new Set(states.flatMap(({ missing }) => missing))],
      redis: (states.find(({ missing }) => missing.length > 0) ?? states[0])?.redis,
    }
  }

  /** The metrics of all workers together. */
  async metrics(): Promise<string> {
    const asked = [...this.#members].filter(({ isReady }) => isReady)
    await Promise.all(asked.map((member) => this.#askForMetrics(member)))
    const own = [
      '# HELP bowerbird_workers Workers that serve',
      '# TYPE bowerbird_workers gauge',
      `bowerbird_workers ${[...this.#current.values()].filter(({ isReady }) => isReady).length}`,
      '',
      '# HELP bowerbird_worker_deaths_total Workers that ended without having been told to',
      '# TYPE bowerbird_worker_deaths_total counter',
      `bowerbird_worker_deaths_total ${this.#deaths}`,
    ]
    // Of one that has ended meanwhile, everything is among the totals already.
    const texts = asked.filter((member) => this.#members.has(member)).map(({ metrics }) => metrics)
    return `${this.#totals.render(texts)}\n${own.join('\n')}\n`
  }

  #start(number: number): Member {
    const member = this.#fork(number)
    this.#current.set(number, member)
    return member
  }

  #fork(number: number): Member {
    const member: Member = {
      number,
      process: this.#parts.fork(number),
      isReady: false,
      mayEnd: false,
      silentFor: 0,
      health: undefined,
      metrics: '',
      started: Promise.withResolvers(),
      ended: Promise.withResolvers(),
    }
    this.#members.add(member)
    member.process.onMessage((message) => this.#hear(member, message))
    member.process.onExit((code, signal) => this.#end(member, { code, signal }))
    return member
  }

  #hear(member: Member, message: FromWorker): void {
    member.silentFor = 0
    if (message.kind === 'ready') {
      member.isReady = true
      this.#policy.ready()
      member.started.resolve(true)
    } else if (message.kind === 'health') {
      member.health = message.state
    } else if (message.kind === 'metrics') {
      member.metrics = message.text ?? member.metrics
      if (message.id !== undefined) this.#waiting.get(message.id)?.()
    } else {
      void this.metrics().then((text) => {
        if (this.#members.has(member)) member.process.send({ kind: 'totals', id: message.id, text })
      })
    }
  }

  #end(member: Member, end: { code: number | null; signal: string | null }): void {
    const wasReady = member.isReady
    member.isReady = false
    this.#members.delete(member)
    this.#totals.addEnded(member.metrics)
    member.started.resolve(false)
    member.ended.resolve(end.code ?? 1)
    const isAccident = this.#isStarted && !this.#isStopping && !member.mayEnd
    if (isAccident) this.#replaceDead(member.number, { wasReady, ...end })
    this.#endWhenEmpty()
  }

  #replaceDead(
    worker: number,
    { wasReady, ...end }: { wasReady: boolean; code: number | null; signal: string | null },
  ): void {
    this.#current.delete(worker)
    this.#deaths += 1
    const ms = this.#policy.died({ wasReady })
    if (ms === undefined) {
      this.#parts.log.fatal({ worker, ...end }, 'workers keep ending before they are ready; giving up')
      this.#exitCode = 1
      this.stop('SIGTERM')
      return
    }
    this.#parts.log.error({ worker, ...end, ms }, 'a worker has ended; starting another')
    setTimeout(() => this.#startIfMissing(worker), ms)
  }

  /** Unless there is one, or it is on its way anyway. */
  #startIfMissing(number: number): void {
    if (!this.#isStopping && !this.#current.has(number) && this.#replacing !== number) this.#start(number)
  }

  async #replace(number: number): Promise<boolean> {
    this.#replacing = number
    const next = this.#fork(number)
    next.mayEnd = true
    const isStarted = await next.started.promise
    this.#replacing = undefined
    if (!isStarted) {
      if (!this.#isStopping)
        this.#parts.log.error({ worker: number }, 'the new worker did not start; the others go on as they are')
      this.#startIfMissing(number)
      return false
    }
    next.mayEnd = false
    const former = this.#current.get(number)
    this.#current.set(number, next)
    if (former) dismiss(former, { kind: 'retire' })
    await former?.ended.promise
    return true
  }

  #askForMetrics({ process, ended }: Member): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const id = ++this.#lastId
    const timer = setTimeout(resolve, METRICS_PATIENCE_MS)
    this.#waiting.set(id, () => resolve())
    void ended.promise.then(() => resolve())
    process.send({ kind: 'metrics', id })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(id)
    })
  }

  #endWhenEmpty(): void {
    if (this.#isStopping && this.#members.size === 0) this.#over.resolve(this.#exitCode)
  }
}

/** One that is not ready has nothing to finish, and does not listen yet. */
function dismiss(member: Member, message: ToWorker): void {
  member.mayEnd = true
  if (member.isReady) member.process.send(message)
  else member.process.kill()
}
