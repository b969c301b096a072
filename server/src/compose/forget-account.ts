// Deletes what Redis has of an account that has been deleted: times of requests, and what its keys found.
// docs/security/privacy.md lists these keys. If Redis is away, they expire by themselves, after a day at most.
import type { AdminContext } from '../keys/admin-context.ts'
import type { RedisClient } from '../redis/redis-client.ts'
import { monthOf, startOfMonth } from '../text/utc-day.ts'

const WINDOWS = ['limits', 'burst', 'sustained']
const LISTS = ['found', 'linked']
/** Each has limits of its own: see `Quota` in `site/http/page.ts`. */
const SITE_USES = ['search', 'suggestion', 'picture', 'status']

export const forgetAccountIn =
  (redis: Pick<RedisClient, 'send'>, clock: () => number): NonNullable<AdminContext['forgetShared']> =>
  async ({ userId, keyIds }) => {
    const month = monthOf(clock())
    const lastMonth = monthOf(startOfMonth(month) - 1)
    const counters = [...WINDOWS, `month:${month}`, `month:${lastMonth}`]
    const shared = [...counters, ...keyIds.flatMap((id) => counters.map((name) => `${id}:${name}`))]
    const groups: [tag: string, names: readonly string[]][] = [
      ...keyIds.map((id): [string, string[]] => [id, [...counters, ...LISTS]]),
      ...SITE_USES.map((use): [string, string[]] => [`site ${use} user ${userId}`, WINDOWS]),
      [`user:${userId}`, shared],
    ]
    // A cluster may have each group elsewhere.
    await Promise.all(
      groups.map(([tag, [first = '', ...others]]) =>
        redis.send('DEL', nameOf(tag, first), ...others.map((name) => nameOf(tag, name))),
      ),
    )
  }

const nameOf = (tag: string, name: string): string => `bb:{${tag}}:${name}`
