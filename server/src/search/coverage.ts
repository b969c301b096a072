// Lists the engines that a search in a tab and a language would query, and why it would skip the others: by the same
// rules as a search (`plan.ts`), without a call.
import { type DateRange, type Engine, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { type Inability, reasonToSkip } from './plan.ts'
import type { SlotBinding } from './slots.ts'

/** The part of the configuration that decides which engines are queried. */
export interface BoundSlots {
  engines: readonly Engine[]
  slots: ReadonlyMap<string, SlotBinding>
  /** By slug: the settings that a bound engine lacks. */
  missingOf: ReadonlyMap<string, readonly string[]>
}

export interface CoverageQuestion {
  /** '' is automatic. */
  languages: readonly string[]
  safe: boolean
  date: DateRange | undefined
}

/** `unbound`: no slot has it for this tab. `key`: it lacks the settings in `missing`. */
export interface Absence {
  engine: string
  reason: Inability | 'unbound' | 'key'
  missing: readonly string[]
}

/** The engines of one tab in one language. */
export interface Coverage {
  tab: Tab
  lang: string
  /** In slot order. */
  asked: { slot: string; engine: string }[]
  /** Every other engine that has the tab. */
  others: Absence[]
}

export const coverageOf = (bound: BoundSlots, question: CoverageQuestion): Coverage[] =>
  TABS.flatMap((tab) => question.languages.map((lang) => coverageIn(bound, { tab, lang, question })))

interface Cell {
  tab: Tab
  lang: string
  question: CoverageQuestion
}

function coverageIn({ engines, slots, missingOf }: BoundSlots, { tab, lang, question }: Cell): Coverage {
  const coverage: Coverage = { tab, lang, asked: [], others: [] }
  const bound = [...slots].flatMap(([slot, binding]) => (binding[tab] ?? []).map((slug) => ({ slot, slug })))
  const slotOf = new Map(bound.map(({ slot, slug }) => [slug, slot]))
  for (const engine of engines) {
    const abilities = engine.tabs[tab]
    // A private engine is in no slot, and has its own endpoint and tab.
    if (!abilities || engine.isPrivate) continue
    const slot = slotOf.get(engine.slug)
    const missing = missingOf.get(engine.slug) ?? []
    const request = { text: 'a', page: 1, lang, safe: question.safe, date: question.date }
    const reason =
      slot === undefined ? 'unbound' : missing.length > 0 ? 'key' : reasonToSkip(engine, abilities, request)
    if (reason) coverage.others.push({ engine: engine.slug, reason, missing: reason === 'key' ? missing : [] })
  }
  const absent = new Set(coverage.others.map(({ engine }) => engine))
  coverage.asked = bound.flatMap(({ slot, slug }) => (absent.has(slug) ? [] : [{ slot, engine: slug }]))
  return coverage
}
