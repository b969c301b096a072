// Goes with the usage counters in Redis.
export type { Reply, Value } from './redis-client.ts'
export { Unanswered } from './redis-legacy.ts'
