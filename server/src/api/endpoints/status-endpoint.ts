// GET /api/v1/status/: which providers are up. Does not count as a search.
import { z } from 'zod'
import type { ProviderStatus, ProviderStatusBoard } from '../../health/provider-status.ts'
import { defineEndpoint } from '../endpoint.ts'

const timestamp = z
  .union([z.iso.datetime(), z.literal('')])
  .describe('ISO 8601, or empty if nothing has been observed yet.')

const Provider = z
  .object({
    slug: z.string(),
    name: z.string(),
    group: z.string(),
    monitor: z.enum(['query', 'probe']),
    state: z.enum(['up', 'down', 'unknown']),
    checked_at: timestamp,
    last_ok_at: timestamp,
    last_error: z.string(),
    source: z.string(),
  })
  .meta({ id: 'Provider' })

export const statusEndpoint = (status: Pick<ProviderStatusBoard, 'list'>) =>
  defineEndpoint({
    name: 'status',
    method: 'GET',
    path: '/api/v1/status/',
    summary: 'Provider status',
    description:
      'Whether each configured upstream provider is up or down. Providers without their API key are not listed.',
    params: z.object({}),
    reply: z.object({ providers: z.array(Provider) }).meta({ id: 'StatusReply' }),
    counts: false,
    scope: undefined,
    handle: async () => ({ providers: (await status.list()).map(presentProvider) }),
  })

const presentProvider = ({ health, slug, name, group, monitor }: ProviderStatus): z.output<typeof Provider> => ({
  slug,
  name,
  group,
  monitor,
  state: health?.state ?? 'unknown',
  checked_at: iso(health?.checkedAt),
  last_ok_at: iso(health?.lastOkAt),
  last_error: health?.lastError ?? '',
  source: '',
})

const iso = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString())
