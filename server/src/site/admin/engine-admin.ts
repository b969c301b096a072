// The search engines, for administrators choosing among them.
import type { EngineContribution } from '../../search/contributions/contribution-ledger.ts'
import type { CatalogueEntry } from '../../search/engine-catalogue.ts'
import type { TrialReport } from '../../search/try-engine.ts'

export interface EngineAdmin {
  catalogue: readonly CatalogueEntry[]
  /** Each engine's contributions since a day (UTC, inclusive). Rejects if PostgreSQL is unavailable. */
  contributions: (sinceDay: string) => Promise<EngineContribution[]>
  /** Makes one call, within the provider's limits and budget; undefined if the engine is off or doesn't serve the tab. */
  tryEngine: (trial: { slug: string; tab: string; text: string }) => Promise<TrialReport | undefined>
  /** The providers whose daily calls are used up, with the size of the quota and the wait until the next call. */
  spentQuotas: () => Promise<SpentQuota[]>
}

export interface SpentQuota {
  slug: string
  calls: number
  waitMs: number
}
