// GET /api/v1/usage/: the caller's own counts for this month, by day and endpoint, and how much of the key's limits is
// left.
import { z } from 'zod'
import type { Rate, WindowState } from '../../rate-limit/rate-limiter.ts'
import { monthOf } from '../../text/utc-day.ts'
import { totalOf } from '../../usage/usage.ts'
import { defineEndpoint } from '../endpoint.ts'
import { limitsOf } from '../pipeline/admission.ts'
import type { KeyUsage } from './key-endpoint.ts'

const counts = z.record(z.string(), z.int()).describe('Counted requests by endpoint name.')

const Window = z
  .object({
    limit: z.int(),
    window_seconds: z.number(),
    remaining: z.int(),
    reset_seconds: z.int().describe('Seconds until more is available.'),
  })
  .meta({ id: 'LimitWindow' })

const UsageReply = z
  .object({
    month: z.string(),
    searches: z.int(),
    complete: z.boolean().describe('False if the usage history could not be read; the counts are then too low.'),
    by_endpoint: counts,
    by_day: z.array(z.object({ day: z.string(), searches: z.int(), by_endpoint: counts })),
    limits: z.object({ burst: Window, sustained: Window, monthly_cap: z.int().nullable() }),
  })
  .meta({ id: 'UsageReply' })

export const usageEndpoint = ({ limits: defaults, readUsage, clock }: KeyUsage) =>
  defineEndpoint({
    name: 'usage',
    method: 'GET',
    path: '/api/v1/usage/',
    summary: 'Key usage',
    description:
      'Counted requests of this key in the current UTC month, by day and endpoint, and what is left of both limits.',
    params: z.object({}),
    reply: UsageReply,
    counts: false,
    scope: undefined,
    async handle({ key, admission }) {
      const month = monthOf(clock())
      const usage = await readUsage(key.keyId, `${month}-01`)
      const limits = limitsOf(key, defaults)
      const byEndpoint: Record<string, number> = {}
      for (const { endpoint, count } of usage.counts) byEndpoint[endpoint] = (byEndpoint[endpoint] ?? 0) + count
      return {
        month,
        searches: totalOf(usage),
        complete: usage.isComplete,
        by_endpoint: byEndpoint,
        by_day: byDay(usage.counts),
        limits: {
          burst: presentWindow(limits.burst, admission.burst),
          sustained: presentWindow(limits.sustained, admission.sustained),
          monthly_cap: limits.monthlyCap ?? null,
        },
      }
    },
  })

function byDay(counts: readonly { day: string; endpoint: string; count: number }[]) {
  const days = new Map<string, { day: string; searches: number; by_endpoint: Record<string, number> }>()
  for (const { day, endpoint, count } of counts) {
    const entry = days.get(day) ?? { day, searches: 0, by_endpoint: {} }
    entry.searches += count
    entry.by_endpoint[endpoint] = (entry.by_endpoint[endpoint] ?? 0) + count
    days.set(day, entry)
  }
  return [...days.values()].sort((one, other) => one.day.localeCompare(other.day))
}

const presentWindow = (rate: Rate, window: WindowState): z.output<typeof Window> => ({
  limit: rate.count,
  window_seconds: rate.windowMs / 1000,
  remaining: window.remaining,
  reset_seconds: window.resetSeconds,
})
