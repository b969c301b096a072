// Goes with the usage counters in Redis: what `limits/` still asks of the client. A call is never found `Unanswered`, and
// there is one run.
import type { Script } from './redis-script.ts'

// As in redis-client.ts.
type Reply = number | string | null | Reply[]
type Value = string | number

type Evaluate<Answer> = (script: Script, keys: readonly string[], values: readonly Value[]) => Promise<Answer>

export interface LegacyRedis {
  // Goes with the usage counters in Redis.
  evaluateOnce: Evaluate<Reply | Unanswered | undefined>
  // Goes with the usage counters in Redis.
  run: (key: string) => string
  // Goes with the usage counters in Redis.
  runs: () => Set<string>
}

// Goes with the usage counters in Redis.
export class Unanswered {
  readonly connection: string
  readonly number: number
  readonly deadline: number

  constructor(connection: string, { number, deadline }: { number: number; deadline: number }) {
    this.connection = connection
    this.number = number
    this.deadline = deadline
  }
}

const RUN = '000000000000'

// Goes with the usage counters in Redis.
export function legacyOf(evaluate: Evaluate<Reply | undefined>): LegacyRedis {
  let calls = 0
  return {
    // The deadline is one that never comes.
    evaluateOnce: (script, keys, values) =>
      evaluate(script, keys, [...values, RUN, 'none', ++calls, calls - 1, Number.MAX_SAFE_INTEGER]),
    run: () => RUN,
    runs: () => new Set([RUN]),
  }
}
