// Calibrations: an administrator chooses queries, grades what they find without knowing which engine found it, and gets
// weights. The searches are ordinary ones, made when their turn comes: they use the cache, and cost what searches cost.
import { hash } from 'node:crypto'
import type { Tab } from '@bowerbird/engines/engine.ts'
import { Refusal } from '../../errors.ts'
import type { StoredResult } from '../../store/schema.ts'
import { OPERATOR } from '../caller.ts'
import type { MergedHit } from '../merge.ts'
import { isTooLong, MAX_QUERY_LENGTH } from '../read-filters.ts'
import type { Search } from '../search.ts'
import type { Calibration, CalibrationStore, NewCalibration } from './calibration-store.ts'
import { MAX_CALIBRATIONS } from './calibration-store.ts'
import { seededRandom, shuffled } from './seeded-random.ts'

export const MAX_QUERIES = 50
/** As many results of each engine are graded as the quality of a ranking is measured on. */
const DEPTH = 10
const MAX_TITLE_LENGTH = 240
const MAX_DESCRIPTION_LENGTH = 600

/** What comes next: a result to grade, without a word about who found it; a search to make; or nothing. */
export type Turn =
  | ({ state: 'grade' } & BlindResult)
  | { state: 'search'; place: number; query: string }
  | { state: 'done' }

export interface BlindResult {
  /** Of the search, from 0. */
  place: number
  query: string
  /** Of the result, from 0. */
  result: number
  /** How many this search has. */
  of: number
  url: string
  title: string
  description: string
}

interface CalibrationParts {
  store: CalibrationStore
  /** Changes with the settings. */
  search: () => Pick<Search, 'search'>
  /** The slug of the engine with this name. */
  slugOf: (name: string) => string | undefined
}

export interface Calibrations extends Omit<CalibrationStore, 'create' | 'saveResults'> {
  create: (wanted: NewCalibration) => Promise<string>
  /** undefined: there is no such calibration. */
  next: (id: string) => Promise<Turn | undefined>
  /** Makes the search whose turn it is, if there is one. */
  search: (id: string) => Promise<void>
  /** Takes back the grade that was given last. */
  back: (id: string) => Promise<void>
}

export function createCalibrations({ store, search, slugOf }: CalibrationParts): Calibrations {
  const { find } = store

  async function searchFor({ tab, lang }: Calibration, query: string): Promise<StoredResult[]> {
    const request = { text: query, engines: [], safe: true, lang, page: 1, date: undefined }
    const { results } = await search().search({ caller: OPERATOR, tab, request })
    return blindOrder(results.flatMap((merged) => storedResult(merged, slugOf)))
  }

  return {
    ...store,
    async create({ tab, lang, queries }) {
      const asked = [...new Set(queries.map((query) => query.trim()).filter(Boolean))]
      if (asked.length === 0 || asked.length > MAX_QUERIES)
        throw new Refusal('parameter_invalid', `Choose 1 to ${MAX_QUERIES} queries, each on a line of its own.`)
      if (asked.some(isTooLong))
        throw new Refusal('parameter_invalid', `A query must have at most ${MAX_QUERY_LENGTH} characters.`)
      const id = await store.create({ tab, lang, queries: asked })
      if (id !== undefined) return id
      throw new Refusal('conflict', `There are ${MAX_CALIBRATIONS} calibrations. Delete one that you no longer need.`)
    },
    async next(id) {
      const calibration = await find(id)
      return calibration && turnOf(calibration)
    },
    async search(id) {
      const calibration = await find(id)
      if (!calibration) return
      const turn = turnOf(calibration)
      if (turn.state !== 'search') return
      await store.saveResults(id, turn.place, await searchFor(calibration, turn.query))
    },
    async back(id) {
      const calibration = await find(id)
      const graded = (calibration?.searches ?? []).flatMap(({ place, results = [] }) =>
        results.flatMap((result, at) => (result.grade === null ? [] : [{ place, result: at }])),
      )
      const last = graded.at(-1)
      if (last) await store.grade(id, { ...last, grade: null })
    },
  }
}

/** A search that found nothing has nothing to grade. */
function turnOf({ searches }: Calibration): Turn {
  const turn = searches.find(({ results }) => results?.every(({ grade }) => grade !== null) !== true)
  if (!turn) return { state: 'done' }
  const { place, query, results } = turn
  const at = results?.findIndex(({ grade }) => grade === null) ?? -1
  const found = results?.[at]
  if (!results || !found) return { state: 'search', place, query }
  const { url, title, description } = found
  return { state: 'grade', place, query, result: at, of: results.length, url, title, description }
}

function storedResult(
  { hit, contributions }: MergedHit<{ url: string; title: string; description?: string }>,
  slugOf: CalibrationParts['slugOf'],
): StoredResult[] {
  const ranks: Record<string, number> = {}
  for (const { name, rank } of contributions) {
    const slug = slugOf(name)
    if (slug !== undefined && rank <= DEPTH) ranks[slug] ??= rank
  }
  if (Object.keys(ranks).length === 0) return []
  return [
    {
      url: hit.url,
      title: hit.title.slice(0, MAX_TITLE_LENGTH),
      description: (hit.description ?? '').slice(0, MAX_DESCRIPTION_LENGTH),
      ranks,
      grade: null,
    },
  ]
}

/** Shuffled, so that their order tells nothing; by their own addresses, so that it is the same every time. */
function blindOrder(results: readonly StoredResult[]): StoredResult[] {
  const sorted = results.toSorted((one, other) => (one.url < other.url ? -1 : 1))
  const seed = Buffer.from(hash('sha256', sorted.map(({ url }) => url).join('\n'), 'buffer')).readInt32LE()
  return shuffled(sorted, seededRandom(seed))
}

/** Languages that can have weights of their own. */
export const CALIBRATED_LANGUAGES = ['en', 'de', 'fr', 'es'] as const

/** Tabs whose results can be told by title, address and text. */
export const CALIBRATED_TABS = ['web', 'news', 'videos', 'science', 'code'] as const satisfies readonly Tab[]
