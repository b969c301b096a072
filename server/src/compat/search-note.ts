// What an answer has to say about itself, in sentences: which engines have no part in it and why, what a filter left out,
// and that a page is past the end. Clients of a compatible API see no headers, so it goes where that API has room for it.
import type { EngineReport } from '../search/engine-report.ts'
import type { SkipReason } from '../search/plan.ts'
import { slotsWithoutRegion } from '../search/regions.ts'
import type { SearchAnswer } from '../search/search.ts'

export interface MissingEngine {
  engine: string
  reason: string
  wasAsked: boolean
}

const FAILURES: Partial<Record<string, string>> = { overBudget: 'budget used up', open: 'keeps failing' }

const SKIPS: Record<Exclude<SkipReason, 'page' | 'enough'>, string> = {
  safe: 'cannot filter adult content',
  date: 'cannot filter by date',
  lang: 'cannot filter by language',
  length: 'takes no query of this length',
  image: 'cannot filter images in this way',
  loop: 'is another Bowerbird, and so is the one that asks',
}

/** The engines without a part in the results. One that has no more pages has had its part; one that wasn't needed lacks nothing. */
export const missingEngines = (reports: readonly EngineReport[], nameOf: (slot: string) => string): MissingEngine[] =>
  reports.flatMap((report): MissingEngine[] => {
    const engine = nameOf(report.slot)
    if (report.outcome === 'failed') return [{ engine, reason: FAILURES[report.kind] ?? report.kind, wasAsked: true }]
    if (report.outcome === 'ok' || report.reason === 'page' || report.reason === 'enough') return []
    return [{ engine, reason: SKIPS[report.reason], wasAsked: false }]
  })

/** `Brave (timeout), Mojeek (budget used up)` */
export const namesAndReasons = (engines: readonly MissingEngine[]): string =>
  engines.map(({ engine, reason }) => `${engine} (${reason})`).join(', ')

type Noted = Pick<SearchAnswer, 'reports' | 'request' | 'filtered' | 'blocked'>

/** '' if every engine answered and nothing was left out. */
export function searchNote(answer: Noted, nameOf: (slot: string) => string): string {
  const { reports, request, filtered, blocked } = answer
  const missing = missingEngines(reports, nameOf)
  const failed = namesAndReasons(missing.filter(({ wasAsked }) => wasAsked))
  const notAsked = namesAndReasons(missing.filter(({ wasAsked }) => !wasAsked))
  const ignoring = slotsWithoutRegion(reports).map(nameOf).join(', ')
  const isPastTheEnd = notAsked === '' && reports.every(({ outcome }) => outcome === 'skipped')
  return [
    failed !== '' && `No results from ${failed}; results may be incomplete.`,
    notAsked !== '' && `Not asked: ${notAsked}.`,
    isPastTheEnd && `No engine was asked, because none has a page ${request.page}.`,
    ignoring !== '' && `Region without effect on: ${ignoring}.`,
    filtered > 0 && `${filtered} results were left out by the filters; the next page may have more.`,
    blocked > 0 &&
      `${blocked} ${blocked === 1 ? 'result was' : 'results were'} left out because rules block their sites.`,
  ]
    .filter(Boolean)
    .join(' ')
}
