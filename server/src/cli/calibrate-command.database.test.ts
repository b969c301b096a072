// `bowerbird calibrate`, as an operator types it, with a search that always finds the same.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DATABASE_KINDS, openTestDatabase } from '../keys/access.test-database.ts'
import { createCalibrationStore } from '../search/calibration/calibration-store.ts'
import { createCalibrations } from '../search/calibration/calibrations.ts'
import { mergeRankings } from '../search/merge.ts'
import type { Search } from '../search/search.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import {
  databaseAway,
  bowerbird as runBowerbird,
  json as runJson,
  typed,
  withSettings,
} from './command-line.test-harness.ts'

/** Two engines with two results each, of which one is both engines'. A title tries to control the terminal. */
const hitsOf = (engine: string) =>
  ['shared', engine].map((page) => ({
    url: `https://example.org/${page}`,
    title: `About \u001b[31m${page}`,
    description: 'Text',
  }))

const search = {
  search: async () => ({
    results: mergeRankings(
      ['alder', 'birch'].map((name) => ({ slot: name, name, weight: 1, hits: hitsOf(name) })),
      (best) => best,
    ),
  }),
} as unknown as Search // of its answer, a calibration reads the results alone

describe.each(DATABASE_KINDS)('bowerbird calibrate on %s', (kind) => {
  let temporary: Awaited<ReturnType<typeof openTestDatabase>>
  let access: SettingsContext
  const local = () => ({ openAccess: async () => ({ access, close: () => Promise.resolve() }) })
  const bowerbird = (line: string, stdin = '') => runBowerbird(line, { ...local(), ...typed(stdin) })
  const json = (line: string, stdin = '') => runJson(line, { ...local(), ...typed(stdin) })
  const idOfNew = async (queries: string) => String((await json('calibrate new', queries))['id'])
  /** At a terminal, with an instance that can search. */
  const press = (line: string, keys: string) => {
    const rawModes: boolean[] = []
    const stdin = Object.assign(Readable.from([Buffer.from(keys)]), {
      isTTY: true,
      setRawMode: (isRaw: boolean) => rawModes.push(isRaw),
    })
    const store = createCalibrationStore(access.db)
    const calibrations = createCalibrations({ store, search, slugOf: (name) => name })
    const openInstance = async () => ({ access: { ...access, calibrations }, close: () => Promise.resolve() })
    return runBowerbird(line, { ...local(), openInstance, stdin }).then((ran) => ({ ...ran, rawModes }))
  }

  beforeAll(async () => {
    temporary = await openTestDatabase(kind)
    access = withSettings({ ...databaseAway, db: temporary.database.db, clock: Date.now, randomBytes })
  })
  afterEach(() => sql`truncate settings, calibrations, calibration_searches`.execute(access.db))
  afterAll(() => temporary.drop())

  it('takes queries from standard input or a topic, and lists calibrations', async () => {
    const created = await json('calibrate new --lang de', 'eins\n\nzwei\neins\n')
    expect(created).toMatchObject({ tab: 'web', lang: 'de', searches: 2, finished: 0, gain: null, verdict: 'few' })
    expect((await bowerbird('calibrate new --topic science')).out).toContain('has 4 searches')
    expect((await bowerbird('calibrate list')).out).toMatch(/web, de +0 of 2 +too early to tell/)
    expect((await bowerbird('calibrate new', '\n')).err).toContain('Choose 1 to 50 queries')
  })

  it('grades one key at a time, blind; then the weights are applied, taken back, and the calibration deleted', async () => {
    const id = await idOfNew('one\ntwo\nthree\n')
    const stopped = await press(`calibrate grade ${id}`, 'gXuq')
    expect(stopped).toMatchObject({ code: 0, rawModes: [true, false] })
    expect(stopped.out).toContain('Too few searches are graded')
    expect(stopped.out).not.toMatch(/alder +\d/)
    expect(stopped.out).not.toContain('\u001b')
    const { out } = await press(`calibrate grade ${id}`, '1fb'.repeat(3))
    expect(out).toContain('From 3 graded searches, for web.')
    expect((await bowerbird(`calibrate show ${id}`)).out).toMatch(/Gain over equal weights: .*%/)
    expect((await bowerbird(`calibrate apply ${id}`)).out).toContain('These weights are in force:\nweb:')
    expect((await access.settings.read()).values['CALIBRATED_WEIGHTS']).toMatch(
      /web:alder=[\d.]+ .*web:birch=|web:birch=[\d.]+ web:alder=/,
    )
    expect((await bowerbird('calibrate undo')).out).toBe('No calibrated weights are in force.\n')
    expect((await access.settings.read()).values['CALIBRATED_WEIGHTS']).toBeUndefined()
    expect((await bowerbird(`calibrate delete ${id}`)).code).toBe(0)
    expect(await json('calibrate list')).toEqual({ calibrations: [] })
  })

  it('says in one sentence why it cannot', async () => {
    const id = await idOfNew('one\n')
    expect((await bowerbird(`calibrate grade ${id}`)).err).toBe(
      'Grading needs a terminal. Run it there, or grade on the website.\n',
    )
    expect((await bowerbird(`calibrate apply ${id}`)).err).toContain('Grade at least three')
    expect((await bowerbird('calibrate show 999')).err).toContain('There is no such calibration')
    expect((await bowerbird('calibrate undo')).err).toContain('nothing to undo')
  })
})
