// What the parent of several workers and its workers tell each other.
import type { HealthState } from '../health/readiness.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM'

export type ToWorker =
  /** Tell the operator where the instance listens: only one worker is asked to. */
  | { kind: 'announce' }
  /** The same as if the signal had come from outside. */
  | { kind: 'stop'; signal: StopSignal }
  /** Another worker is ready in its place: let it have new connections, answer what there is, and end. */
  | { kind: 'retire' }
  | { kind: 'metrics'; id: number }
  /** The metrics of all workers together, which it has asked for. */
  | { kind: 'totals'; id: number; text: string }

export type FromWorker =
  | { kind: 'ready' }
  /** Every second from then on. */
  | { kind: 'health'; state: HealthState }
  /** What was asked for, or, without an id, the last before it ends; undefined if they could not be read. */
  | { kind: 'metrics'; id?: number; text: string | undefined }
  | { kind: 'totals'; id: number }

/** In the environment of a worker. */
export const WORKER_NUMBER = 'BOWERBIRD_WORKER'

/** For its log lines; undefined: this process is not a worker. */
export const workerNumberIn = (env: NodeJS.ProcessEnv): number | undefined =>
  process.connected ? Number(env[WORKER_NUMBER]) || undefined : undefined
