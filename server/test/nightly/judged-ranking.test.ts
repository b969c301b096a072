// The quality of the merge on judged rankings: the ratios of decision 0006 hold on the real data in the file that
// BOWERBIRD_JUDGED_DATA names, and the benchmark prints them.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { INVENTED_RANKINGS, readJudgedRuns } from '../../../bench/judged-runs.ts'
import { measureRanking, ratiosOf } from '../../../bench/measure-ranking.ts'

const JUDGED_DATA = process.env['BOWERBIRD_JUDGED_DATA']

describe('npm run bench:ranking', () => {
  const bench = (...args: string[]) =>
    promisify(execFile)(process.execPath, [resolve(import.meta.dirname, '../../../bench/ranking.ts'), ...args])

  it('measures the invented set by default, and --json prints its ratios on one line', async () => {
    const { stdout } = await bench('--json')
    expect(stdout.trimEnd()).toBe(JSON.stringify(ratiosOf(measureRanking(readJudgedRuns(INVENTED_RANKINGS)))))
    expect((await bench()).stdout).toMatch(/^Invented rankings/)
  })

  it('fails with the name of a file that it cannot read', async () => {
    await expect(bench('--data', '/nowhere/rankings.json')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/nowhere/rankings.json: ENOENT'),
    })
  })
})

describe.skipIf(!JUDGED_DATA)('the merge on judged data', () => {
  it('beats the standard formula, the run one would have picked, and the best run in hindsight', () => {
    const ratios = ratiosOf(measureRanking(readJudgedRuns(JUDGED_DATA ?? '')))
    expect(ratios.equal_vs_searxng).toBeGreaterThanOrEqual(1.01)
    expect(ratios.calibrated_vs_picked).toBeGreaterThanOrEqual(1.02)
    expect(ratios.calibrated_vs_hindsight).toBeGreaterThanOrEqual(1)
  }, 180_000)
})
