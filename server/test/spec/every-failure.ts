// Every way in which a sandbox provider can fail entirely.
import type { Fault } from '@bowerbird/sandbox'

export const EVERY_FAILURE = [
  { kind: 'status', status: 500 },
  { kind: 'blocked' },
  { kind: 'badKey' },
  { kind: 'html' },
  { kind: 'empty-body' },
  { kind: 'cut-off' },
  { kind: 'wrong-shape' },
  { kind: 'reset' },
  { kind: 'refuse' },
  { kind: 'hang' },
  // Last, because a provider that sent Retry-After isn't called until then.
  { kind: 'throttled' },
] as const satisfies readonly Fault[]
