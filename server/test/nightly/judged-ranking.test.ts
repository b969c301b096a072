// The quality of the merge on judged rankings: decision 0006 holds on the real data in the file that BOWERBIRD_JUDGED_DATA
// names and the one beside it, and the benchmark prints it.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { INVENTED_RANKINGS, readJudgedRuns } from '../../../bench/judged-runs.ts'
import { measureRanking, ratiosOf } from '../../../bench/measure-ranking.ts'
import { measureThin, NEVER } from '../../../bench/measure-thin.ts'

const ROBUST = process.env['BOWERBIRD_JUDGED_DATA'] ?? ''
const FEDWEB = join(dirname(ROBUST), 'fedweb-2013-web-top10.json')

const measure = (file: string) => ratiosOf(measureRanking(readJudgedRuns(file)))

describe('npm run bench:ranking', () => {
  const bench = (...args: string[]) =>
    promisify(execFile)(process.execPath, [resolve(import.meta.dirname, '../../../bench/ranking.ts'), ...args])

  it('measures the invented set by default, and --json prints its ratios on one line', async () => {
    const { stdout } = await bench('--json')
    expect(stdout.trimEnd()).toBe(JSON.stringify(measure(INVENTED_RANKINGS)))
    expect((await bench()).stdout).toMatch(/^Invented rankings/)
  })
})

describe('calibrated weights', () => {
  it.skipIf(!existsSync(FEDWEB))(
    'beat the engine one would have picked, and the best in hindsight, on real engines',
    () => {
      const ratios = measure(FEDWEB)
      expect(ratios.calibrated_vs_picked.low).toBeGreaterThanOrEqual(1.06)
      expect(ratios.calibrated_vs_hindsight.low).toBeGreaterThanOrEqual(1.04)
    },
    600_000,
  )

  it.skipIf(!existsSync(ROBUST))(
    'beat them on research systems, and equal weights beat the standard formula there',
    () => {
      const ratios = measure(ROBUST)
      expect(ratios.equal_vs_searxng.value).toBeGreaterThanOrEqual(1.01)
      expect(ratios.calibrated_vs_picked.low).toBeGreaterThanOrEqual(1.02)
      expect(ratios.calibrated_vs_hindsight.low).toBeGreaterThanOrEqual(1)
    },
    600_000,
  )
})

describe('bench/thin.ts', () => {
  const judged = readJudgedRuns(INVENTED_RANKINGS)

  it('always asking saves and costs nothing; never asking saves everything; in between, both', () => {
    const always = { results: 50, agreement: 0 }
    const [all, none, some] = measureThin(judged, 'any', [always, NEVER, { results: 1, agreement: 0.5 }])
    expect(all).toMatchObject({ saved: 0, lost: 0, interval: [0, 0] })
    expect(none?.saved).toBe(1)
    expect(none?.lost).toBeGreaterThan(0)
    expect(some?.saved).toBeLessThan(1)
    expect(some?.lost).toBeLessThan(none?.lost ?? 0)
    expect(none?.interval[0]).toBeLessThan(none?.lost ?? 0)
    expect(none?.interval[1]).toBeGreaterThan(none?.lost ?? 0)
  })

  it('it costs more to let the best engine wait', () => {
    const [any] = measureThin(judged, 'any', [NEVER])
    const [best] = measureThin(judged, 'best', [NEVER])
    expect(best?.lost).toBeGreaterThan(any?.lost ?? 1)
  })
})
