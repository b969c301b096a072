// Every way in which a provider of the sandbox fails as a whole.
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
  // The last, because a provider that says how long it wants to be left alone is left alone.
  { kind: 'throttled' },
] as const satisfies readonly Fault[]
