// Parses a fault sent by another process. Throws an error that says what is wrong with it.
import type { Fault } from './fault.ts'
import { isRecord } from './is-record.ts'
import { FAULT_PLAYERS } from './play-fault.ts'

const MEASURES: readonly string[] = [
  'latencyMs',
  'jitterMs',
  'retryAfterSeconds',
  'intervalMs',
  'bytes',
  'calls',
  'perMs',
]

export function parseFault(value: unknown): Fault {
  if (!isRecord(value)) throw new Error('a fault is an object with a kind')
  const kind = value['kind']
  if (typeof kind !== 'string' || !Object.hasOwn(FAULT_PLAYERS, kind)) {
    throw new Error(`unknown fault kind; use one of ${Object.keys(FAULT_PLAYERS).join(', ')}`)
  }
  for (const name of MEASURES) {
    const measure = value[name]
    if (measure !== undefined && !(typeof measure === 'number' && measure >= 0 && Number.isFinite(measure))) {
      throw new Error(`${name} must be a number from 0`)
    }
  }
  if (kind === 'latency' && value['latencyMs'] === undefined) throw new Error('latency needs latencyMs')
  if (kind === 'banAbove' && !(Number.isInteger(value['calls']) && Number(value['calls']) > 0 && value['perMs'])) {
    throw new Error('banAbove needs calls, a whole number from 1, and perMs')
  }
  const status = value['status']
  if (kind === 'status' && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599)) {
    throw new Error('status must be a whole number from 200 to 599')
  }
  // The kind is known, and every member that a kind reads was checked above.
  return value as unknown as Fault
}
