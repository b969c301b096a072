// The outcome of each engine in a search, in the form of the Engine-Status header: `engine_a;ok;n=10;ms=312,
// engine_b;timeout;ms=2000, engine_c;skipped;for=date`. `cached` means that the provider was not called, `filtered=3`
// that three of its results were left out here, `region=ignored` that it can't favour the region of the search.

import type { UpstreamErrorKind } from '@bowerbird/engines/upstream-error.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, PlannedEngine, SkipReason } from './plan.ts'

export type EngineReport =
  | {
      slot: string
      outcome: 'ok'
      count: number
      /** Hits that were left out here because of the domains or dates of the search. */
      filtered?: number
      /** The search has a region, which had no effect here. */
      ignoresRegion?: true
      ms: number
      cached: 'memory' | 'shared' | undefined
      isStale: boolean
    }
  | { slot: string; outcome: 'failed'; kind: UpstreamErrorKind; ms: number; calledProvider: boolean }
  | { slot: string; outcome: 'skipped'; reason: SkipReason }

/**
 * complete     every engine that was queried answered
 * partial      some did
 * stale        all results come from the cache, because the engines failed
 * unsupported  no engine can honour the filters, so none was queried
 */
export type SearchStatus = 'complete' | 'partial' | 'stale' | 'unsupported'

/** Of every engine of the plan. One without an outcome was not needed: the others had found enough. */
export function createReports({ engines, skips }: Plan, outcomes: readonly Outcome[]): EngineReport[] {
  const reports = outcomes.map(createReport)
  for (const { slot, reason } of skips) reports.push({ slot, outcome: 'skipped', reason })
  if (outcomes.length === engines.length) return reports
  for (const planned of engines)
    if (!outcomes.some((outcome) => outcome.planned === planned)) reports.push(notNeeded(planned))
  return reports
}

export function createReport({ planned, ms, result, calledProvider, filtered }: Outcome): EngineReport {
  const slot = planned.slot.name
  if ('error' in result) return { slot, outcome: 'failed', kind: result.error.kind, ms, calledProvider }
  return {
    slot,
    outcome: 'ok',
    count: result.response.hits.length,
    ...(filtered && { filtered }),
    ...(planned.ignoresRegion && { ignoresRegion: true }),
    ms,
    cached: result.from === 'provider' ? undefined : result.from,
    isStale: result.isStale,
  }
}

export const notNeeded = ({ slot }: PlannedEngine): EngineReport => ({
  slot: slot.name,
  outcome: 'skipped',
  reason: 'enough',
})

export const engineStatusHeader = (reports: readonly EngineReport[]): string => {
  let header = ''
  for (const report of reports) header += `${header === '' ? '' : ', '}${describe(report)}`
  return header
}

/** The same outcome as an object, for a stream event. */
export const engineOutcome = (report: EngineReport): { engine: string; status: string; n: number; ms: number } => ({
  engine: report.slot,
  status: report.outcome === 'failed' ? statusWord(report.kind) : report.outcome,
  n: report.outcome === 'ok' ? report.count : 0,
  ms: report.outcome === 'skipped' ? 0 : report.ms,
})

/** Clients needn't know whether it was the provider or our address guard: they can do nothing about either. */
function statusWord(kind: UpstreamErrorKind): string {
  if (kind === 'overBudget') return 'budget'
  return kind === 'guarded' ? 'blocked' : kind
}

function describe(report: EngineReport): string {
  if (report.outcome === 'skipped') return `${report.slot};skipped;for=${report.reason}`
  if (report.outcome === 'failed') return `${report.slot};${statusWord(report.kind)};ms=${report.ms}`
  const cached = report.cached ? `;cached=${report.isStale ? 'stale' : report.cached}` : ''
  const filtered = report.filtered ? `;filtered=${report.filtered}` : ''
  const region = report.ignoresRegion ? ';region=ignored' : ''
  return `${report.slot};ok;n=${report.count}${filtered}${region};ms=${report.ms}${cached}`
}

export function searchStatus(reports: readonly EngineReport[]): SearchStatus {
  let answered = 0
  let stale = 0
  let failed = 0
  let isPastTheEnd = false
  for (const report of reports) {
    if (report.outcome === 'failed') failed += 1
    else if (report.outcome === 'skipped') isPastTheEnd ||= report.reason === 'page'
    else {
      answered += 1
      if (report.isStale) stale += 1
    }
  }
  if (answered === 0 && failed === 0) return isPastTheEnd ? 'complete' : 'unsupported'
  if (stale > 0 && stale === answered) return 'stale'
  return failed + stale > 0 ? 'partial' : 'complete'
}

/**
 * The Cache-Status header (RFC 9211): whether a provider had to be called; undefined if no engine was queried, so that
 * there was nothing to cache. A failure that is still remembered is not a call, and neither is one that this node
 * declined to make.
 */
export function cacheStatusHeader(reports: readonly EngineReport[]): string | undefined {
  let isHit = false
  for (const report of reports) {
    if (report.outcome === 'skipped') continue
    if (report.outcome === 'failed' ? report.calledProvider : !report.cached) return MISS
    isHit ||= report.outcome === 'ok'
  }
  if (isHit) return 'bowerbird; hit'
  return reports.some(({ outcome }) => outcome === 'failed') ? MISS : undefined
}

const MISS = 'bowerbird; fwd=miss'
