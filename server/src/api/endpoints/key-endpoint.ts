// GET /api/v1/key/: the caller's own key and what it may do. Does not count as a search.
import { z } from 'zod'
import { PERMISSION_SCOPES } from '../../keys/scopes.ts'
import { formatRate } from '../../rate-limit/rate.ts'
import type { Limits } from '../../rate-limit/rate-limiter.ts'
import { monthOf } from '../../text/utc-day.ts'
import { totalOf, type UsageReading } from '../../usage/usage.ts'
import { defineEndpoint } from '../endpoint.ts'
import { limitsOf } from '../pipeline/admission.ts'

const KeyReply = z
  .object({
    name: z.string(),
    prefix: z.string().describe('The part of the key that is safe to show.'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To the minute; null until the first use is recorded.'),
    expires_at: z.iso.datetime().nullable(),
    revoked: z.boolean(),
    scopes: z.array(z.enum(PERMISSION_SCOPES)),
    limits: z.object({
      burst: z.string(),
      sustained: z.string(),
      monthly_cap: z.int().nullable(),
    }),
    usage: z.object({
      month: z.string().describe('UTC month, such as 2026-11.'),
      searches: z.int(),
    }),
  })
  .meta({ id: 'KeyReply' })

/** What tells how much of its limits a key has used. */
export interface KeyUsage {
  /** The instance's limits; a key may have its own. */
  limits: Limits
  /** A key's usage since a day (UTC, inclusive). */
  readUsage: (keyId: string, sinceDay: string) => Promise<UsageReading>
  clock: () => number
}

export const keyEndpoint = ({ limits: defaults, readUsage, clock }: KeyUsage) =>
  defineEndpoint({
    name: 'key',
    method: 'GET',
    path: '/api/v1/key/',
    summary: 'Key introspection',
    description: 'Name, scopes, limits and usage of the API key used for the request.',
    params: z.object({}),
    reply: KeyReply,
    counts: false,
    scope: undefined,
    async handle({ key }) {
      const month = monthOf(clock())
      const usage = await readUsage(key.keyId, `${month}-01`)
      const limits = limitsOf(key, defaults)
      return {
        name: key.name,
        prefix: key.prefix,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        expires_at: key.expiresAt?.toISOString() ?? null,
        revoked: false,
        scopes: PERMISSION_SCOPES.filter((scope) => key.scopes.has(scope)),
        limits: {
          burst: formatRate(limits.burst),
          sustained: formatRate(limits.sustained),
          monthly_cap: limits.monthlyCap ?? null,
        },
        usage: { month, searches: totalOf(usage) },
      }
    },
  })
