// `npm run bench:ranking`: the quality of the merge on judged data, as a table or, with --json, as one line of ratios.
// Where the data is absent it says so and ends well: the data may not be redistributed with the code.
import { hasJudgedRuns, readJudgedRuns } from './judged-runs.ts'
import { measureRanking, type RankingMeasurement, ratiosOf } from './measure-ranking.ts'

const row = (name: string, value: number): string => `  ${name.padEnd(52)}${value.toFixed(4)}\n`

function table(measurement: RankingMeasurement): string {
  const { all, odd } = measurement
  const ratios = ratiosOf(measurement)
  return [
    'Mean nDCG@10 over all triples of runs\n\nAll topics, equal weights\n',
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

if (!hasJudgedRuns())
  process.stdout.write('No judged data at ../shared/data/trec-robust-2003-top20.json: not measured.\n')
else {
  const measurement = measureRanking(readJudgedRuns())
  const isJson = process.argv.includes('--json')
  process.stdout.write(isJson ? `${JSON.stringify(ratiosOf(measurement))}\n` : table(measurement))
}
