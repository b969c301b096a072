// What tests of engines ask for.
import type { EngineQuery, ResultBounds } from '../src/engine.ts'

/** With every filter there is. */
export const QUERY: EngineQuery = {
  text: 'oak tree',
  page: 2,
  safe: true,
  date: 'w',
  lang: 'de-AT',
  now: Date.UTC(2026, 10, 15),
}

/** With none. */
export const ANY: EngineQuery = { ...QUERY, page: 1, safe: false, date: undefined, lang: '' }

/** Domains and dates, for providers that take them. */
export const BOUNDS: ResultBounds = {
  includeDomains: ['example.org'],
  excludeDomains: ['old.example.org'],
  dateFrom: Date.UTC(2026, 10, 1),
  dateTo: Date.UTC(2026, 10, 9),
}
