// Calibrations in the database: their searches, and the grades of the results. This is the only place where the instance
// stores what was searched for, because an administrator chose these queries for it. Deleting a calibration deletes all of
// it; the weights that were applied stay, and hold neither queries nor addresses.
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import type { Kysely } from 'kysely'
import type { Schema, StoredResult } from '../../store/schema.ts'

export interface CalibrationSearch {
  /** From 0. */
  place: number
  query: string
  /** undefined: the search wasn't made yet. */
  results: StoredResult[] | undefined
}

export interface Calibration {
  id: string
  createdAt: Date
  tab: Tab
  /** '': any language. */
  lang: string
  searches: CalibrationSearch[]
}

export type NewCalibration = Pick<Calibration, 'tab' | 'lang'> & { queries: readonly string[] }

export interface GradedPlace {
  /** Of the search. */
  place: number
  /** Of the result, from 0. */
  result: number
  /** Null takes the grade back. */
  grade: number | null
}

/** Older ones have to be deleted first: nobody reads a list that is longer. */
export const MAX_CALIBRATIONS = 50

export function createCalibrationStore(db: Kysely<Schema>) {
  const searchesOf = async (ids: readonly string[]) => {
    const rows = await db
      .selectFrom('calibration_searches')
      .selectAll()
      .where('calibration_id', 'in', [...ids])
      .orderBy('place')
      .execute()
    return Map.groupBy(rows, ({ calibration_id }) => calibration_id)
  }
  const read = async (wanted: string | undefined): Promise<Calibration[]> => {
    const rows = await db
      .selectFrom('calibrations')
      .selectAll()
      .$if(wanted !== undefined, (query) => query.where('id', '=', wanted ?? ''))
      .orderBy('id', 'desc')
      .execute()
    if (rows.length === 0) return []
    const searches = await searchesOf(rows.map(({ id }) => id))
    return rows.map(({ id, created_at, tab, lang }) => ({
      id,
      createdAt: created_at,
      tab: TABS.find((known) => known === tab) ?? 'web',
      lang,
      searches: (searches.get(id) ?? []).map(({ place, query, results }) => ({
        place,
        query,
        results: results ?? undefined,
      })),
    }))
  }
  const at = (id: string, place: number, executor = db) =>
    executor.updateTable('calibration_searches').where('calibration_id', '=', id).where('place', '=', place)

  return {
    list: () => read(undefined),
    find: async (id: string): Promise<Calibration | undefined> => (await read(id))[0],
    /** undefined: there are too many. */
    async create({ tab, lang, queries }: NewCalibration): Promise<string | undefined> {
      return await db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom('calibrations')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= MAX_CALIBRATIONS) return undefined
        const { id } = await transaction
          .insertInto('calibrations')
          .values({ tab, lang })
          .returning('id')
          .executeTakeFirstOrThrow()
        await transaction
          .insertInto('calibration_searches')
          .values(queries.map((query, place) => ({ calibration_id: id, place, query, results: null })))
          .execute()
        return id
      })
    },
    /** Only the first results count: two windows may have searched at once. */
    async saveResults(id: string, place: number, results: readonly StoredResult[]): Promise<void> {
      await at(id, place)
        .where('results', 'is', null)
        .set({ results: JSON.stringify(results) })
        .execute()
    },
    async skip(id: string, place: number): Promise<void> {
      await at(id, place).set({ results: '[]' }).execute()
    },
    /** Changes nothing if there is no such result. */
    async grade(id: string, { place, result, grade }: GradedPlace): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('calibration_searches')
          .select('results')
          .where('calibration_id', '=', id)
          .where('place', '=', place)
          .forUpdate()
          .executeTakeFirst()
        const graded = found?.results?.[result]
        if (!found?.results || !graded) return
        const results = found.results.with(result, { ...graded, grade })
        await at(id, place, transaction)
          .set({ results: JSON.stringify(results) })
          .execute()
      })
    },
    /** Returns whether there was one. */
    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('calibrations').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

export type CalibrationStore = ReturnType<typeof createCalibrationStore>
