// `npx node bench/ranking.ts [--data FILE] [--json]`: the quality of the merge on judged rankings, as a table or, with
// --json, as one line of ratios. Without --data it measures the invented set of the repository, whose figures only show
// that the benchmark works. bench/README.md describes the file.
import { parseArgs } from 'node:util'
import { INVENTED_RANKINGS, readJudgedRuns } from './judged-runs.ts'
import { measureRanking, type RankingMeasurement, ratiosOf } from './measure-ranking.ts'

const row = (name: string, value: number): string => `  ${name.padEnd(52)}${value.toFixed(4)}\n`

function table(source: string, measurement: RankingMeasurement): string {
  const { all, odd } = measurement
  const ratios = ratiosOf(measurement)
  return [
    `${source}\nMean nDCG@10 over all triples of runs\n\nAll topics, equal weights\n`,
    row('best single run of the triple', all.bestSingle),
    row("SearXNG's formula", all.searxng),
    row('reciprocal rank, k = 60', all.reciprocal60),
    row('Bowerbird', all.product),
    '\nOdd topics, after calibration on the even ones\n',
    row('the run picked on the even topics', odd.picked),
    row('the run best on the odd topics, in hindsight', odd.hindsight),
    row('Bowerbird, equal weights', odd.equal),
    row('Bowerbird, calibrated weights', odd.calibrated),
    '\nRatios\n',
    ...Object.entries(ratios).map(([name, value]) => row(name, value)),
  ].join('')
}

try {
  const { values } = parseArgs({
    options: { data: { type: 'string', default: INVENTED_RANKINGS }, json: { type: 'boolean', default: false } },
  })
  const judged = readJudgedRuns(values.data)
  const measurement = measureRanking(judged)
  process.stdout.write(values.json ? `${JSON.stringify(ratiosOf(measurement))}\n` : table(judged.source, measurement))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
