// A worker's side: an instance like any other, whose health and metrics are a part of its parent's. It stops when the
// parent or a signal tells it to, and ends with its parent, however that ends.
import { releaseMemory } from '../../config/lean-process.ts'
import type { Log } from '../../log.ts'
import type { Configuration } from '../configuration.ts'
import { type Instance, startInstance } from '../start.ts'
import { untilSignal } from '../stop-signals.ts'
import type { FromWorker, StopSignal, ToWorker } from './worker-messages.ts'

const TELL_EVERY_MS = 1_000

/** `announce` tells the operator where the instance listens. */
export async function serveAsWorker(
  configuration: Configuration,
  log: Log,
  announce: (instance: Instance) => Promise<void>,
): Promise<void> {
  const parent = openParentChannel()
  // Of the terminal, for the parent to judge.
  process.on('SIGHUP', () => undefined)
  const instance = await startInstance(withoutListeners(configuration), log, { totalMetrics: parent.totalMetrics })
  const ownMetrics = () => instance.services.metrics.text().catch(() => undefined)
  const tell = () => void parent.send({ kind: 'health', state: instance.health() })
  const timer = setInterval(tell, TELL_EVERY_MS)
  try {
    parent.on('metrics', async ({ id }) => parent.send({ kind: 'metrics', id, text: await ownMetrics() }))
    parent.on('announce', () => announce(instance))
    const end = untilEnd(parent)
    await parent.send({ kind: 'ready' })
    tell()
    releaseMemory()
    const reason = await end
    const graceMs = configuration.operation.drainSeconds * 1_000
    if (reason === 'retire') await instance.retire(graceMs)
    else await instance.close(reason === 'SIGTERM' ? graceMs : 0)
  } finally {
    clearInterval(timer)
    await parent.send({ kind: 'metrics', text: await ownMetrics() })
    process.disconnect?.()
  }
}

/** The parent has them, for all workers. */
const withoutListeners = (configuration: Configuration): Configuration => ({
  ...configuration,
  operation: { ...configuration.operation, adminPort: undefined, metricsPort: undefined },
})

const untilEnd = (parent: ParentChannel): Promise<StopSignal | 'retire'> =>
  new Promise((resolve) => {
    parent.on('stop', ({ signal }) => resolve(signal))
    parent.on('retire', () => resolve('retire'))
    void untilSignal().then(resolve)
  })

type MessageOf<Kind extends ToWorker['kind']> = Extract<ToWorker, { kind: Kind }>

interface ParentChannel {
  /** Resolves when it is sent, or cannot be. */
  send: (message: FromWorker) => Promise<void>
  on: <Kind extends ToWorker['kind']>(kind: Kind, listener: (message: MessageOf<Kind>) => unknown) => void
  /** The metrics of all workers. */
  totalMetrics: () => Promise<string>
}

function openParentChannel(): ParentChannel {
  const waiting = new Map<number, (text: string) => void>()
  let lastId = 0
  const send: ParentChannel['send'] = (message) =>
    new Promise((resolve) => {
      if (process.connected) process.send?.(message, () => resolve())
      else resolve()
    })
  const on: ParentChannel['on'] = (kind, listener) => {
    process.on('message', (message: ToWorker) => {
      // Its kind says which of the messages it is.
      if (message.kind === kind) void listener(message as Parameters<typeof listener>[0])
    })
  }
  on('totals', ({ id, text }) => {
    waiting.get(id)?.(text)
    waiting.delete(id)
  })
  return {
    send,
    on,
    totalMetrics: () =>
      new Promise((resolve) => {
        const id = ++lastId
        waiting.set(id, resolve)
        void send({ kind: 'totals', id })
      }),
  }
}
