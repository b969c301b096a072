// Engines and trials as JSON for scripts, with the same naming as our other JSON.
import type { CatalogueEntry } from '../search/engine-catalogue.ts'
import type { TrialReport } from '../search/try-engine.ts'

const presentTerms = (terms: CatalogueEntry['terms']) => ({
  cache_seconds: terms.cacheSeconds,
  cache_in: terms.cacheIn,
  attribution: terms.attribution,
  rate_limit: terms.rateLimit ? { calls: terms.rateLimit.calls, per_seconds: terms.rateLimit.perSeconds } : null,
  daily_calls: terms.dailyCalls ?? null,
  as_of: terms.asOf,
  unverified: terms.unverified ?? '',
})

export const presentEntry = (entry: CatalogueEntry) => ({
  slug: entry.slug,
  name: entry.name,
  homepage: entry.homepage,
  state: entry.state,
  slots: entry.slots,
  tabs: entry.tabs.map(({ tab, filters, languages, pricePerCallMicros }) => ({
    tab,
    filters,
    languages: languages ?? null,
    price_per_call_micros: pricePerCallMicros,
  })),
  needs: entry.needs,
  missing: entry.missing,
  has_no_contract: entry.hasNoContract,
  terms: presentTerms(entry.terms),
})

export const presentTrial = ({ skippedFor, terms, status, error, ...report }: TrialReport) => ({
  ...report,
  status: status ?? null,
  error: error ?? null,
  skipped_for: skippedFor ?? null,
  terms: presentTerms(terms),
})
